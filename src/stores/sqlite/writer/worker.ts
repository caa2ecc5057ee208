// The thread that writes large batches and merges indexes: a connection of its own beside the main thread's, so that nobody
// there waits for it. The main thread writes nothing meanwhile.

import { workerData } from 'node:worker_threads';
import type { Replaced } from '../../../ports/store.ts';
import { connect } from '../connection.ts';
import { optimizeIndexes } from '../optimize.ts';
import { answerTasks, type ThreadData } from '../thread.ts';
import { createLengths } from '../words/lengths.ts';
import { createWordWrites } from '../words/write.ts';
import { replaceDocument } from '../write.ts';
import { unpack, type Packed } from './packed.ts';

export type WriterTask =
  { kind: 'replace'; writes: Packed[]; at: string } | { kind: 'catchUp' } | { kind: 'optimize' };

const { database, file } = workerData as ThreadData;
const connection = connect(database, file);
const words = createWordWrites(connection, createLengths(connection));

async function run(task: WriterTask): Promise<Replaced[]> {
  if (task.kind !== 'replace') {
    await connection.write(() =>
      task.kind === 'optimize' ? optimizeIndexes(connection, words) : words.catchUp(),
    );
    return [];
  }
  const writes = task.writes.map(unpack);
  return connection.write(() =>
    writes.map((write) => replaceDocument({ connection, words }, write, task.at)),
  );
}

answerTasks(run);
