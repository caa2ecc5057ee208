// The thread that scans large collections: a reader of its own beside the main thread, with its own memory.

import { workerData } from 'node:worker_threads';
import { connect } from '../connection.ts';
import { answerTasks, type ThreadData } from '../thread.ts';
import { createScanner, type ScanRequest } from './scanner.ts';

const { database, file } = workerData as ThreadData;
const connection = connect(database, file, { readOnly: true });
const scanner = createScanner(connection);

answerTasks((request: ScanRequest) => connection.read(() => scanner.search(request)));
