// The YAML library, loaded with the first front matter or OpenAPI description.
// Bounded against alias bombs.

import { parse } from 'yaml';

/** `aliases`: how often what has a name may be used, what it uses itself counted with it. */
export function parseYaml(body: string, aliases = 20): unknown {
  return parse(body, { maxAliasCount: aliases, prettyErrors: false, logLevel: 'error', uniqueKeys: false });
}
