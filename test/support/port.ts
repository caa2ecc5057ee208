// A port for a server that must be told one before it starts. The system gives ports from 32768 on to whoever asks for any,
// so one from below is not given away before the server listens on it.

import { once } from 'node:events';
import { createServer } from 'node:net';

const FIRST = 20_000;
const LAST = 32_000;

export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    const probe = createServer().listen(port, '127.0.0.1');
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
}
