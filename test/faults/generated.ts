// Documents that can be told whole from torn: every chunk names its path and version, and the whole can be made again
// from those two.

import { document, vector } from '../contract/fixtures.ts';
import type { DocumentWrite } from '../../src/ports/store.ts';

export function generated(path: string, version: number): DocumentWrite {
  const count = 1 + ((path.length * 7 + Number(path.slice(1)) * 13 + version * 5) % 40);
  const mark = markOf(path, version);
  const blocks = Array.from(
    { length: count },
    (_, n) => `${mark} part ${n} ${'filler words '.repeat(n % 11)}end`,
  );
  return document({
    path,
    text: `${blocks.join('\n\n')}\n`,
    title: `${path} ${version}`,
    metadata: { version },
    headings: blocks.map((_, n) => [mark, `part ${n}`]),
    vectors: blocks.map((_, n) => vector(((n * 31 + version) % 100) / 100)),
    graph: blocks.map((_, n) => ({
      entities: [
        { key: 'hub', name: 'Hub', type: 'SERVICE', startLine: 1, endLine: 1 },
        { key: `${path}n${n % 5}`, name: `${path} n${n % 5}`, type: 'CONCEPT', startLine: 1, endLine: 1 },
      ],
      relations: [
        {
          source: path,
          target: 'Hub',
          sourceKey: `${path}n${n % 5}`,
          targetKey: 'hub',
          type: 'USES',
          startLine: 1,
          endLine: 1,
        },
      ],
    })),
    more: { archive: { keep: 2 } },
  });
}

export function markOf(path: string, version: number): string {
  return `mark${path}v${version}x`;
}
