// The stand-in as a process of its own: options as JSON in the first argument, `{"port":…}` as its first line, and an
// end when standard input ends, so that no test leaves one behind.

import { runMongod } from './server.ts';
import type { MongodOptions } from './options.ts';

const options = JSON.parse(process.argv[2] ?? '{}') as MongodOptions;
const mongod = await runMongod(options);
process.stdout.write(`${JSON.stringify({ port: mongod.port })}\n`);
process.stdin.on('end', () => process.exit(0)).resume();
process.on('SIGTERM', () => void mongod.close().then(() => process.exit(0)));
