// Which files see each other's definitions without an import.

import { folderOf } from './imports.ts';
import type { CodeFile } from './names.ts';

/** Files of one folder see each other's definitions. */
const PACKAGES = new Set(['go', 'java', 'kotlin', 'scala', 'swift', 'csharp']);
/** `src/test/java/shop` is the package of `src/main/java/shop`: it holds another set of its sources. */
const SOURCE_SET = /(^|\/)src\/[^/]+\/(?:java|kotlin|scala)(?=\/|$)/;

/** What the package of a file is known by; undefined where a file stands alone. */
export function packageOf({ path, symbols }: CodeFile): string | undefined {
  if (!PACKAGES.has(symbols.language)) return undefined;
  return folderOf(path).replace(SOURCE_SET, '$1src');
}
