// The official tasks client around the official client, over whichever transport: what the client's own codecs do not know
// yet goes over the same transport by hand.

import type { Client, Transport } from '@modelcontextprotocol/client';
import { createTaskSessionFromClient, type TaskEnabledSession } from '@modelcontextprotocol/ext-tasks/client';

interface Answer {
  jsonrpc: '2.0';
  id: string;
  result?: object;
  error?: { code: number; message: string };
}

export async function taskSession(client: Client, transport: Transport): Promise<TaskEnabledSession> {
  await client.connect(transport);
  const open = new Map<string, (answer: Answer) => void>();
  const passOn = transport.onmessage;
  transport.onmessage = (message, extra) => {
    const answer = message as Answer;
    const settle = open.get(answer.id);
    if (!settle) return passOn?.(message, extra);
    open.delete(answer.id);
    settle(answer);
  };
  let sent = 0;
  return createTaskSessionFromClient(client, {
    endpointId: 'test',
    rawDispatch: async (request) => {
      sent += 1;
      const id = `raw-${sent}`;
      const answered = new Promise<Answer>((resolve) => open.set(id, resolve));
      await transport.send({ ...(request as object), jsonrpc: '2.0', id } as never);
      const { result, error } = await answered;
      return (error ? { kind: 'error', error } : { kind: 'result', result }) as never;
    },
    v2RequestFraming: {
      protocolVersion: '2026-07-28',
      clientInfo: { name: 'test', version: '1' },
      clientCapabilities: {},
    },
  });
}
