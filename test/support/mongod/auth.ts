// SCRAM-SHA-256 as RFC 7677 has it, server side, for one user. Wrong password and unknown user answer alike.

import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto';
import { Binary } from 'bson';
import { ServerError } from './errors.ts';
import type { Doc } from './wire/framing.ts';

export interface Credentials {
  user: string;
  storedKey: Buffer;
  serverKey: Buffer;
  salt: Buffer;
}

export interface Conversation {
  id: number;
  message: string;
  nonce: string;
  user: string;
}

const ITERATIONS = 4096;
const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const failed = (): ServerError => new ServerError(18, 'Authentication failed.');

export function createCredentials(user: string, password: string): Credentials {
  const salt = randomBytes(28);
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const clientKey = hmac(salted, 'Client Key');
  return {
    user,
    storedKey: createHash('sha256').update(clientKey).digest(),
    serverKey: hmac(salted, 'Server Key'),
    salt,
  };
}

export function startConversation(
  command: Doc,
  credentials: Credentials,
): { state: Conversation; reply: Doc } {
  if (command.mechanism !== 'SCRAM-SHA-256') throw new ServerError(2, 'Received an unsupported mechanism');
  const text = payloadOf(command);
  const bare = text.replace(/^n,,/, '');
  const fields = parse(bare);
  const nonce = `${fields.r}${randomBytes(18).toString('base64')}`;
  const first = `r=${nonce},s=${credentials.salt.toString('base64')},i=${ITERATIONS}`;
  return {
    state: {
      id: 1,
      message: `${bare},${first}`,
      nonce,
      user: (fields.n ?? '').replaceAll('=2C', ',').replaceAll('=3D', '='),
    },
    reply: { conversationId: 1, done: false, payload: new Binary(Buffer.from(first)), ok: 1 },
  };
}

export function continueConversation(command: Doc, state: Conversation, credentials: Credentials): Doc {
  const text = payloadOf(command);
  const fields = parse(text);
  const withoutProof = text.slice(0, text.lastIndexOf(',p='));
  const message = `${state.message},${withoutProof}`;
  const signature = hmac(credentials.storedKey, message);
  const proof = Buffer.from(fields.p ?? '', 'base64');
  if (state.user !== credentials.user || fields.r !== state.nonce || proof.length !== signature.length)
    throw failed();
  const clientKey = Buffer.from(proof.map((byte, at) => byte ^ signature[at]!));
  const stored = createHash('sha256').update(clientKey).digest();
  if (!timingSafeEqual(stored, credentials.storedKey)) throw failed();
  const verifier = hmac(credentials.serverKey, message).toString('base64');
  return { conversationId: state.id, done: true, payload: new Binary(Buffer.from(`v=${verifier}`)), ok: 1 };
}

function payloadOf(command: Doc): string {
  const { payload } = command;
  if (!(payload instanceof Binary)) throw failed();
  return Buffer.from(payload.value()).toString('utf8');
}

function parse(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(',').flatMap((part) => {
      const at = part.indexOf('=');
      return at === -1 ? [] : [[part.slice(0, at), part.slice(at + 1)]];
    }),
  );
}
