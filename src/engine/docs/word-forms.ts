// Words the index does not bring together: `bundler` and `bundling` have different stems. Asked only when a search left
// room, and ranked below what it found, so that no exact match is ever pushed down.

/** The query with words such as `installer` as `install`; undefined when none changes or operators are used. */
export function plainerForm(query: string): string | undefined {
  if (/["()+:*]|(^|\s)-|\b(AND|OR|NOT)\b/.test(query) || query.length > 200) return undefined;
  const form = query.replaceAll(/\b[a-z]{3,}(?:er|or)s?\b/gi, (word) => base(word.toLowerCase()) ?? word);
  return form === query ? undefined : form;
}

/** `bundler` → `bundle`, `installer` → `install`, `runner` → `run`; short words are left alone. */
function base(word: string): string | undefined {
  const stem = word.replace(/(er|or)s?$/, '');
  if (stem.length < 4) return undefined;
  if (/([bdgmnprt])\1$/.test(stem)) return stem.slice(0, -1);
  return /([^aeioul]l|[aeiou][csvzu]|at|rs|rg|dg|nc)$/.test(stem) ? `${stem}e` : stem;
}
