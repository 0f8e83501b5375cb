#!/usr/bin/env bash
# Holds the MCP server against the conformance suite of the protocol and against its inspector, over HTTP and over stdio.
#
#     run.sh [QUARRY]      QUARRY: the program; built from this repository where it is not named
#
# It needs npm, and Node 22 or newer, which it has npm bring where there is none. Where npm cannot be reached it says so and ends with 0;
# any failure or warning of the suite that scenarios.txt does not explain ends it with 1.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
readonly here root node_version=24.21.0
quarry=${1:-}
if [ -n "$quarry" ]; then
  quarry=$(cd "$(dirname "$quarry")" && pwd)/$(basename "$quarry")
fi

scratch=$(mktemp -d)
export TMPDIR="$scratch" # of all that runs here
trap 'rm -rf "$scratch"' EXIT

# install ARGUMENTS… runs npm; where the registry cannot be reached that ends all of this.
install() {
  if npm install --no-audit --no-fund --no-update-notifier --fetch-retries 1 --fetch-timeout 60000 "$@" >"$scratch/npm.txt" 2>&1; then
    return
  fi
  if grep -qE '^npm (error|ERR!) code (ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED)$' "$scratch/npm.txt"; then
    echo 'left out: npm cannot reach its registry, and the suite comes from there'
    exit 0
  fi
  cat "$scratch/npm.txt" >&2
  exit 1
}

if ! command -v npm >/dev/null; then
  echo 'left out: there is no npm, and the suite comes by it'
  exit 0
fi

mkdir "$scratch/suite" "$scratch/node"
cp "$here/package.json" "$here/package-lock.json" "$scratch/suite/"
install --prefix "$scratch/suite" --ignore-scripts --omit-lockfile-registry-resolved
if ! node -e 'process.exit(Number(process.versions.node.split(".")[0]) >= 22 ? 0 : 1)' 2>/dev/null; then
  install --prefix "$scratch/node" --no-save "node@$node_version"
  export PATH="$scratch/node/node_modules/node/bin:$PATH"
fi

if [ -z "$quarry" ]; then
  quarry=$scratch/quarry
  go build -C "$root" -o "$quarry" ./cmd/quarry
fi

unset QUARRY_TOKEN QUARRY_AUDIENCE QUARRY_VAULT
export QUARRY_DB="$scratch/index.db" XDG_CONFIG_HOME="$scratch/config" XDG_CACHE_HOME="$scratch/cache" HOME="$scratch/home"
mkdir -p "$scratch/home"
"$quarry" index --quiet --vault "$root/examples/vault" >/dev/null
node "$here/check.mjs" "$quarry" "$root/examples/vault" "$here/scenarios.txt" "$scratch/suite"
