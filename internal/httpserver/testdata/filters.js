// It takes a query and a notice, a line each, from standard input, and prints the queries that may have been meant.
const [query, notice] = require("node:fs").readFileSync(0, "utf8").split("\n");
process.stdout.write((meantBy(notice, query)?.others || []).map(other => other.query).join("|"));
