import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Server, type Socket } from 'node:net';
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

/** A server that takes connections without a network. */
function served(isExempt: (address: string) => boolean = () => false) {
  const server = Object.assign(new EventEmitter(), { maxConnections: 0 });
  limitConnections(server as unknown as Server, isExempt);
  return {
    server,
    /** The connection, or undefined where it was refused. */
    open: (remoteAddress: string | undefined): EventEmitter | undefined => {
      let refused = false;
      const socket = Object.assign(new EventEmitter(), {
        remoteAddress,
        destroy: () => void (refused = true),
      });
      server.emit('connection', socket);
      return refused ? undefined : socket;
    },
  };
}

it('4096 connections are open at most, 512 of them of one address', () => {
  const { server, open } = served((address) => address === '10.0.0.1');
  assert.equal(server.maxConnections, 4_096);
  for (let count = 0; count < 512; count += 1) assert.ok(open('192.0.2.7'));
  assert.equal(open('192.0.2.7'), undefined);
  assert.ok(open('192.0.2.8'), 'another address is not held up');
  for (let count = 0; count < 600; count += 1) assert.ok(open('10.0.0.1'), 'nor the proxy of the operator');
  for (let count = 0; count < 600; count += 1) assert.ok(open(undefined), 'nor one that is gone already');
});

it('each connection that ends frees one place', () => {
  const { open } = served();
  open('192.0.2.7')!.emit('close');
  const sockets = Array.from({ length: 512 }, () => open('192.0.2.7')!);
  for (const socket of sockets.slice(0, 2)) socket.emit('close');
  assert.deepEqual(
    [1, 2, 3].map(() => open('192.0.2.7') !== undefined),
    [true, true, false],
  );
  for (const socket of sockets.slice(2)) socket.emit('close');
  for (let count = 0; count < 510; count += 1) assert.ok(open('192.0.2.7'));
  assert.equal(open('192.0.2.7'), undefined);
});
