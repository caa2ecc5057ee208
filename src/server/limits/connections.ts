// How many connections an address may hold open. Silent ones cost nothing but a place, and places are bounded: without
// this one machine could take them all. A proxy the operator named stands for many people and is not counted.

import type { Server, Socket } from 'node:net';

const MAX_CONNECTIONS = 4_096;
/** So that it takes several addresses to fill the server. */
const PER_ADDRESS = MAX_CONNECTIONS / 8;

export function limitConnections(
  server: Server,
  isExempt: (address: string) => boolean,
  perAddress = PER_ADDRESS,
): void {
  const open = new Map<string, number>();
  server.maxConnections = MAX_CONNECTIONS;
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress;
    if (address === undefined || isExempt(address)) return;
    const count = open.get(address) ?? 0;
    if (count >= perAddress) {
      socket.destroy();
      return;
    }
    open.set(address, count + 1);
    socket.once('close', () => {
      const left = open.get(address)! - 1;
      if (left) open.set(address, left);
      else open.delete(address);
    });
  });
}
