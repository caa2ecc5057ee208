// MongoDB's wire protocol as the official driver speaks it: OP_MSG both ways, and OP_QUERY / OP_REPLY for the very
// first handshake. No compression and no TLS: hello never offers them.

import { deserialize, serialize } from 'bson';

export type Doc = Record<string, unknown>;

export interface Request {
  id: number;
  opcode: number;
  /** The command with document sequences folded in, `$db` included. */
  body: Doc;
  exhaustAllowed: boolean;
  /** The client wants no reply (unacknowledged write). */
  silent: boolean;
}

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const CHECKSUM = 1;
const MORE_TO_COME = 2;
const EXHAUST = 1 << 16;
const MAX_MESSAGE = 48_000_000;

/** Longs stay numbers where they fit; binary stays Binary, so that vectors and nonces keep their subtype. */
export function decode(bytes: Uint8Array): Doc {
  return deserialize(bytes, { promoteValues: true, promoteBuffers: false, bsonRegExp: false });
}

export function encode(doc: Doc): Uint8Array {
  return serialize(doc, { ignoreUndefined: true, checkKeys: false });
}

/** Splits a byte stream into whole messages. */
export function createSplitter(onMessage: (message: Buffer) => void): (chunk: Buffer) => void {
  let held: Buffer[] = [];
  let size = 0;
  return (chunk) => {
    held.push(chunk);
    size += chunk.length;
    while (size >= 4) {
      if (held[0]!.length < 4) held = [Buffer.concat(held)];
      const length = held[0]!.readInt32LE(0);
      if (length < 16 || length > MAX_MESSAGE) throw new Error('bad message length');
      if (size < length) return;
      const all = held.length === 1 ? held[0]! : Buffer.concat(held);
      onMessage(all.subarray(0, length));
      const rest = all.subarray(length);
      held = rest.length ? [rest] : [];
      size = rest.length;
    }
  };
}

export function parseRequest(message: Buffer): Request {
  const id = message.readInt32LE(4);
  const opcode = message.readInt32LE(12);
  if (opcode === OP_QUERY) return parseQuery(message, id);
  if (opcode !== OP_MSG) throw new Error(`unsupported opcode ${opcode}`);
  const flags = message.readUInt32LE(16);
  const end = message.length - (flags & CHECKSUM ? 4 : 0);
  let body: Doc = {};
  const sequences: Doc = {};
  for (let at = 20; at < end;) {
    const kind = message[at]!;
    at += 1;
    const size = message.readInt32LE(at);
    if (kind === 0) body = decode(message.subarray(at, at + size));
    else readSequence(message.subarray(at, at + size), sequences);
    at += size;
  }
  return {
    id,
    opcode,
    body: { ...body, ...sequences },
    exhaustAllowed: (flags & EXHAUST) !== 0,
    silent: (flags & MORE_TO_COME) !== 0,
  };
}

function readSequence(section: Buffer, into: Doc): void {
  const nameEnd = section.indexOf(0, 4);
  const documents: Doc[] = [];
  for (let at = nameEnd + 1; at < section.length;) {
    const size = section.readInt32LE(at);
    documents.push(decode(section.subarray(at, at + size)));
    at += size;
  }
  into[section.toString('utf8', 4, nameEnd)] = documents;
}

function parseQuery(message: Buffer, id: number): Request {
  const nameEnd = message.indexOf(0, 20);
  const namespace = message.toString('utf8', 20, nameEnd);
  const at = nameEnd + 9;
  const body = decode(message.subarray(at, at + message.readInt32LE(at)));
  return {
    id,
    opcode: OP_QUERY,
    body: { ...body, $db: namespace.split('.')[0] },
    exhaustAllowed: false,
    silent: false,
  };
}

let replies = 0;

/** A reply and the id it carries; `more` says that the client is to expect another without asking. */
export function formatReply(request: Request, doc: Doc, more = false): { bytes: Buffer; id: number } {
  replies = (replies + 1) & 0x7fffffff;
  const body = encode(doc);
  const legacy = request.opcode === OP_QUERY;
  const head = Buffer.alloc(legacy ? 36 : 21);
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(replies, 4);
  head.writeInt32LE(request.id, 8);
  head.writeInt32LE(legacy ? OP_REPLY : OP_MSG, 12);
  if (legacy) {
    head.writeInt32LE(8, 16);
    head.writeInt32LE(1, 32);
  } else if (more) {
    head.writeUInt32LE(MORE_TO_COME, 16);
  }
  return { bytes: Buffer.concat([head, body]), id: replies };
}
