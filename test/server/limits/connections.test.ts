import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { it } from 'node:test';
import { until } from '../../support/wait.ts';
import { limitConnections } from '../../../src/server/limits/connections.ts';

it('an address holds so many connections and no more; a named proxy as many as it wants', async () => {
  let exempt = false;
  const server = createServer((_, response) => response.end('ok'));
  limitConnections(server, () => exempt, 3);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  const open: Socket[] = [];
  const opens = async (): Promise<boolean> => {
    const socket = connect(port, '127.0.0.1');
    open.push(socket);
    socket.on('error', () => {});
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    const [event] = await Promise.race([
      once(socket, 'data').then(() => [true]),
      once(socket, 'close').then(() => [false]),
    ]);
    return event!;
  };
  assert.deepEqual([await opens(), await opens(), await opens(), await opens()], [true, true, true, false]);
  exempt = true;
  assert.equal(await opens(), true);
  exempt = false;
  open[0]!.destroy();
  await once(open[0]!, 'close');
  // A place that is given up is free.
  await until(opens);
  for (const socket of open) socket.destroy();
  server.close();
});
