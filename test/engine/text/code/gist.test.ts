import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { codeGist, commentsIn } from '../../../../src/engine/text/code/gist.ts';
import { codeWords } from '../../../../src/engine/text/code/words.ts';

describe('what source code is found by', () => {
  it('words: its path and the names it defines, whole and in parts', () => {
    const words = codeWords('src/httpClient.ts', { headingPath: ['Client'], defines: ['Client', 'sendAll'] });
    assert.deepEqual(words, {
      title: 'src\nhttpClient.ts http client ts',
      heading: 'Client\nsendAll send all',
    });
  });

  it('meaning: path, names and comments, without the code', () => {
    const chunk = {
      ordinal: 1,
      headingPath: ['Client'],
      defines: ['sendAll'],
      text: '// Sends what waits.\nqueue.pop();\n',
    };
    const gist = codeGist('src/http_client.ts', chunk, {
      language: 'typescript',
      definitions: [],
      references: [],
    });
    assert.equal(gist, 'src http client ts\nclient send all\nSends what waits.');
  });

  it('the first chunk of a file speaks for all it defines', () => {
    const definition = { kind: 'function' as const, path: [], lines: { start: 90, end: 99 }, line: 90 };
    const symbols = { language: 'go', definitions: [{ ...definition, name: 'lastOne' }], references: [] };
    assert.equal(
      codeGist('a.go', { ordinal: 0, headingPath: [], defines: [], text: '' }, symbols),
      'a go\nlast one',
    );
  });

  for (const [name, text, said] of [
    ['lines', '// One.\nx = 1; // two\n#!/bin/sh\n# three\n#include <a>\n', 'One. two three'],
    ['blocks', '/**\n * One.\n * @param x two\n */\nint x;\n', 'One. x two'],
    ['docstrings', 'def f():\n    """One.\n\n    Two."""\n    return 1\n', 'One. Two.'],
    ['a block on one line', '/* One. */ int x;\n/* two */\n', 'One. two'],
    ['nothing', 'return a - b;\n', ''],
  ] as const)
    it(`comments: ${name}`, () => assert.equal(commentsIn(text), said));
});
