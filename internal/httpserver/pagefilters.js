// --- what may have been meant by a filter ---
// meantBy reads a notice of a value that no note has: what it says, and each value that may be meant with the query that asks for it;
// null where it is another notice, or the filter is not found in the query.
function meantBy(notice, query) {
  const found = /^(no note has the (tag|type|status|domain|folder) "(.*)"; did you mean )(.+)\?$/.exec(notice);
  if (!found) return null;
  const others = found[4].split(" or ").map(value => ({ value, query: queryWith(query, found[2], found[3], value) }));
  return others.some(other => other.query === null) ? null : { said: found[1], others };
}

// queryWith is a query with another value of a filter, null where the filter is not found in it.
function queryWith(query, kind, value, other) {
  const written = /[\s"()]/.test(other) ? kind + ':"' + other + '"' : kind + ":" + other;
  for (const form of [kind + ':"' + value + '"', kind + ":" + value, ...(kind === "tag" ? ["#" + value] : [])]) {
    const at = query.toLowerCase().indexOf(form.toLowerCase());
    const isWhole = (at === 0 || /[\s(]/.test(query[at - 1])) && !/[^\s)]/.test(query[at + form.length] || " ");
    if (at >= 0 && isWhole) return query.slice(0, at) + written + query.slice(at + form.length);
  }
  return null;
}

