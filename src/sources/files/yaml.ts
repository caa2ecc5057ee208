// The YAML library, loaded with the first front matter that simple-yaml leaves to it. Bounded against alias bombs.

import { parse } from 'yaml';

export function parseYaml(body: string): unknown {
  return parse(body, { maxAliasCount: 20, prettyErrors: false, logLevel: 'error', uniqueKeys: false });
}
