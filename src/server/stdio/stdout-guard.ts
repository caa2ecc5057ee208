// stdout of a stdio server belongs to the protocol. A dependency that prints (a banner, a deprecation, a forgotten log)
// would break the client's parser, so everything but the transport is sent to stderr instead.

import type { Writable } from 'node:stream';

type Write = NodeJS.WriteStream['write'];

/** Gives the real stdout, for the transport alone. */
export function guardStdout(
  stdout: NodeJS.WriteStream,
  stderr: Writable,
): (text: string, done: (error?: Error | null) => void) => boolean {
  const original: Write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr) as Write;
  return (text, done) => original(text, done);
}
