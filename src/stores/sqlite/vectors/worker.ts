// The thread that scans large collections: a reader of its own beside the main thread, with its own memory.

import { parentPort, workerData } from 'node:worker_threads';
import { describeError, toVaiError } from '../../../domain/errors.ts';
import { connect } from '../connection.ts';
import { createScanner, type ScanRequest } from './scanner.ts';

export interface WorkerSetup {
  database: string;
  file: string;
}

export interface Question {
  number: number;
  request: ScanRequest;
}

const { database, file } = workerData as WorkerSetup;
const connection = connect(database, file, { readOnly: true });
const scanner = createScanner(connection);

parentPort!.on('message', ({ number, request }: Question) => {
  try {
    const hits = connection.read(() => scanner.search(request));
    parentPort!.postMessage({ number, hits });
  } catch (thrown) {
    parentPort!.postMessage({ number, error: describeError(toVaiError(thrown)) });
  }
});
