import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { readAsciidoc } from '../../../../src/sources/files/readers/asciidoc.ts';

async function headings(...lines: string[]): Promise<[number, string, number][]> {
  const read = await readAsciidoc('a.adoc', Buffer.from(lines.join('\n')));
  return (read.headings ?? []).map(({ level, text, line }) => [level, text, line]);
}

describe('headings of AsciiDoc', () => {
  it('reads marked titles outside blocks', async () => {
    assert.deepEqual(
      await headings('= Title', '', '== One', '', '----', '== not', '----', '', '=== `Two` =='),
      [
        [1, 'Title', 1],
        [2, 'One', 3],
        [3, 'Two', 9],
      ],
    );
  });

  it('reads two-line titles; the underline tells the level', async () => {
    const text = [
      'Heron Notes 2.1',
      '===============',
      '',
      'Updates',
      '-------',
      'text',
      '',
      'Feeding',
      '~~~~~~~~',
      '',
      'Fish',
      '^^^^',
    ];
    assert.deepEqual(await headings(...text), [
      [1, 'Heron Notes 2.1', 1],
      [2, 'Updates', 4],
      [3, 'Feeding', 8],
      [4, 'Fish', 11],
    ]);
    const read = await readAsciidoc('a.adoc', Buffer.from(text.join('\n')));
    assert.equal(read.title, 'Heron Notes 2.1');
  });

  it('reads a two-line title after an anchor, an attribute or a comment', async () => {
    assert.deepEqual(await headings('// made', ':toc:', '[[heron]]', 'Heron', '-----', '', 'text'), [
      [2, 'Heron', 4],
    ]);
  });

  it('does not take blocks for titles', async () => {
    const example = ['[TIP]', '====', 'text', '====', '', '.Fish', '-----', 'code', '-----', ''];
    const paragraph = ['A paragraph with a list', 'Fish', '----', '== not a title', '----', '', '== Last'];
    assert.deepEqual(await headings(...example, ...paragraph), [[2, 'Last', 17]]);
  });

  it('needs an underline as long as the title', async () => {
    assert.deepEqual(
      await headings('A longer line', '-----', '== not a title', '-----', '', 'Name', '--==', ''),
      [],
    );
  });
});
