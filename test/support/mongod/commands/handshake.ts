// Handshake, authentication, and what a client asks of the server itself.

import { ObjectId } from 'bson';
import { continueConversation, startConversation } from '../auth.ts';
import { ServerError } from '../errors.ts';
import { endSessions } from '../sessions.ts';
import { isDoc } from '../storage/values.ts';
import type { Call, Command, ServerState } from './command.ts';
import type { Doc } from '../wire/framing.ts';

const PROCESS = new ObjectId();

export function hello(state: ServerState, connectionId: number): Doc {
  const { primary, version } = state.topology;
  return {
    helloOk: true,
    isWritablePrimary: primary,
    ismaster: primary,
    ...roleOf(state),
    topologyVersion: { processId: PROCESS, counter: BigInt(version) },
    maxBsonObjectSize: 16_777_216,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 100_000,
    localTime: new Date(),
    logicalSessionTimeoutMinutes: 30,
    connectionId,
    minWireVersion: 0,
    maxWireVersion: state.profile.wireVersion,
    readOnly: false,
    ok: 1,
  };
}

function roleOf({ topology: { address, primary }, profile }: ServerState): Doc {
  if (profile.topology === 'router') return { msg: 'isdbgrid' };
  if (profile.topology === 'standalone') return {};
  return {
    secondary: !primary,
    setName: 'rs0',
    setVersion: 1,
    electionId: new ObjectId('7fffffff0000000000000001'),
    hosts: [address],
    me: address,
    ...(primary ? { primary: address } : {}),
  };
}

function greet(call: Call): Doc {
  const { state, command, connection } = call;
  const reply = hello(state, connection.id);
  if (typeof command.saslSupportedMechs === 'string' && state.credentials)
    reply.saslSupportedMechs = ['SCRAM-SHA-256'];
  if (isDoc(command.speculativeAuthenticate) && state.credentials) {
    try {
      reply.speculativeAuthenticate = startSasl(call, command.speculativeAuthenticate);
    } catch {
      // A real server leaves the field out and lets the client begin anew.
    }
  }
  return reply;
}

function startSasl({ state, connection }: Call, command: Doc): Doc {
  if (!state.credentials) throw new ServerError(18, 'Authentication failed.');
  const { state: conversation, reply } = startConversation(command, state.credentials);
  connection.conversation = conversation;
  return reply;
}

export const handshakeCommands: Record<string, Command> = {
  hello: { open: true, run: greet },
  ismaster: { open: true, run: greet },
  isMaster: { open: true, run: greet },
  saslStart: { open: true, run: (call) => startSasl(call, call.command) },
  saslContinue: {
    open: true,
    run: ({ state, connection, command }) => {
      if (!state.credentials || !connection.conversation) throw new ServerError(18, 'Authentication failed.');
      const reply = continueConversation(command, connection.conversation, state.credentials);
      connection.authenticated = true;
      connection.conversation = undefined;
      return reply;
    },
  },
  ping: { open: true, run: () => ({ ok: 1 }) },
  endSessions: {
    run: ({ state, command }) => {
      endSessions(state.sessions, (command.endSessions ?? []) as Doc[], state.catalog);
      return { ok: 1 };
    },
  },
};
