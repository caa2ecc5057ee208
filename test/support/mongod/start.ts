// Starts and stops the stand-in for a test.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MongoClient } from 'mongodb';
import type { MongodOptions } from './options.ts';
import { tempFolder } from '../temp-folder.ts';

export interface FailCommand {
  failCommands: string[];
  errorCode?: number;
  errorLabels?: string[];
  closeConnection?: boolean;
  afterExecution?: boolean;
  blockConnection?: boolean;
  blockTimeMS?: number;
  namespace?: string;
}

export type FaultMode = 'alwaysOn' | { times: number } | { skip: number };

export interface RunningMongod {
  readonly port: number;
  readonly uri: string;
  /** Sets or clears the one fail point. */
  fault(data: FailCommand, mode?: FaultMode): Promise<void>;
  heal(): Promise<void>;
  stepDown(seconds: number): Promise<void>;
  /** Closes port and connections for a while; memory is kept. */
  goAway(ms: number): Promise<void>;
  /** Ends the process at once; with `keepData` its journal stays for `revive`. */
  kill(): Promise<void>;
  /** Starts a new process on the same port with the same data. */
  revive(): Promise<void>;
  stop(): Promise<void>;
}

export interface StartOptions extends MongodOptions {
  /** Keep a journal in a temporary folder, so that `kill` and `revive` keep the data. */
  keepData?: boolean;
}

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));

export async function startMongod(options: StartOptions = {}): Promise<RunningMongod> {
  const { keepData, ...mongod } = options;
  if (keepData) mongod.dataFile = join(tempFolder('mongod'), 'journal.bson');
  let running = await launch(mongod);
  const { port } = running;
  const user = mongod.auth
    ? `${encodeURIComponent(mongod.auth.user)}:${encodeURIComponent(mongod.auth.password)}@`
    : '';
  const isSet = mongod.profile !== 'documentdb' && !mongod.standalone;
  const parameters = [
    isSet ? 'replicaSet=rs0' : 'directConnection=true',
    ...(user ? ['authSource=admin'] : []),
  ];
  const uri = `mongodb://${user}127.0.0.1:${port}/?${parameters.join('&')}`;
  const admin = async (command: Record<string, unknown>): Promise<void> => {
    const client = new MongoClient(uri, { serverSelectionTimeoutMS: 5000, maxPoolSize: 1 });
    try {
      await client.db('admin').command(command);
    } finally {
      await client.close();
    }
  };
  const fault = (data: FailCommand, mode: FaultMode = { times: 1 }): Promise<void> =>
    admin({ configureFailPoint: 'failCommand', mode, data });
  const kill = async (): Promise<void> => {
    if (running.child.exitCode !== null || running.child.signalCode !== null) return;
    running.child.ref();
    const gone = once(running.child, 'exit');
    running.child.kill('SIGKILL');
    await gone;
  };
  return {
    port,
    uri,
    fault,
    heal: () => admin({ configureFailPoint: 'failCommand', mode: 'off' }),
    stepDown: (seconds) => admin({ replSetStepDown: seconds }),
    goAway: (ms) => admin({ goAway: ms }),
    kill,
    revive: async () => {
      running = await launch({ ...mongod, port });
    },
    stop: kill,
  };
}

async function launch(options: MongodOptions): Promise<{ port: number; child: ChildProcess }> {
  const child = spawn(process.execPath, [MAIN, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.unref();
  const port = await new Promise<number>((resolve, reject) => {
    let text = '';
    child.once('exit', (code) => reject(new Error(`the stand-in ended with ${code}`)));
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('\n')) resolve((JSON.parse(text) as { port: number }).port);
    });
  });
  child.removeAllListeners('exit');
  child.stdout.destroy();
  return { port, child };
}
