// By which words source code is found beside its text: those of its path, and the names it defines and stands in, each whole
// and in its parts.

import type { Chunk } from '../../../domain/chunk.ts';
import { splitIdentifier } from '../../../domain/variants.ts';

export function codeWords(
  path: string,
  { headingPath, defines }: Pick<Chunk, 'headingPath' | 'defines'>,
): { title: string; heading: string } {
  return {
    title: withParts(path.split('/')),
    heading: withParts([...new Set([...headingPath, ...(defines ?? [])])]),
  };
}

function withParts(names: readonly string[]): string {
  return names
    .map((name) => {
      const parts = splitIdentifier(name);
      return parts.length > 1 ? `${name} ${parts.join(' ')}` : name;
    })
    .join('\n');
}
