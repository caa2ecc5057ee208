import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { runProgram } from '../../../src/cli/frame.ts';
import { buildVai } from '../../../src/cli/vai/program.ts';
import { tempFolder } from '../../support/temp-folder.ts';

test('what standard input and --source are not for is refused', async () => {
  const home = tempFolder('ingest');
  const ingest = async (args: string[], stdin: Buffer): Promise<[number, string]> => {
    let stderr = '';
    const streams = {
      stdout: { isTTY: false, write: () => true },
      stderr: { isTTY: false, write: (text: string) => (stderr += text) },
      stdin: Readable.from([stdin]),
    };
    const input = { name: 'vai', env: { VAI_HOME: home }, cwd: home, streams, uriChoosesStore: true };
    return [await runProgram(input, buildVai, ['ingest', ...args]), stderr.split('\n')[0]!];
  };
  const picture = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13]);
  assert.deepEqual(await ingest(['-'], picture), [2, 'vai: Standard input is not text.']);
  assert.deepEqual(await ingest(['a.md', '--source', 'b'], Buffer.from('')), [
    2,
    'vai: --source names the text of standard input (-).',
  ]);
});
