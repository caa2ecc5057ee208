// Parts of a zip archive, within a budget of number and size, and an archive of them as a library may read it. A library
// that opened the original might find another directory in it than was measured here: it gets a plain copy of what was.
// Zip64, encryption and unknown compression are refused: no document needs them.

import { crc32, inflateRawSync } from 'node:zlib';
import { VaiError } from '../../domain/errors.ts';

const MAX_PARTS = 5000;
const MAX_INFLATED = 64 * 1024 * 1024;
const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const FLAG_ENCRYPTED = 1;
const STORED = 0;
const DEFLATED = 8;

/** The parts that are wanted, by name. What the archive claims of its sizes is not trusted. */
export function zipParts(name: string, zip: Buffer, wanted: (part: string) => boolean): Map<string, Buffer> {
  const end = findEnd(zip);
  if (end === -1) throw damaged(name);
  const count = zip.readUInt16LE(end + 10);
  if (count > MAX_PARTS) throw new VaiError('TOO_LARGE', `${name} has too many parts.`);
  const parts = new Map<string, Buffer>();
  let at = zip.readUInt32LE(end + 16);
  let budget = MAX_INFLATED;
  for (let number = 0; number < count; number += 1) {
    if (at + 46 > zip.length || zip.readUInt32LE(at) !== ENTRY) throw damaged(name);
    if ((zip.readUInt16LE(at + 8) & FLAG_ENCRYPTED) !== 0)
      throw new VaiError('FILE_UNREADABLE', `${name} is encrypted.`);
    const nameEnd = at + 46 + zip.readUInt16LE(at + 28);
    const part = zip.toString('utf8', at + 46, nameEnd);
    // Which of two would be read is anybody's guess.
    if (parts.has(part)) throw damaged(name);
    if (wanted(part)) {
      const content = inflate(name, zip, { entry: at, budget });
      budget -= content.length;
      parts.set(part, content);
    }
    at = nameEnd + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return parts;
}

/** An archive of these parts, not compressed. */
export function zipOf(parts: ReadonlyMap<string, Buffer>): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [part, content] of parts) {
    const name = Buffer.from(part);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt32LE(crc32(content), 10);
    fields.writeUInt32LE(content.length, 14);
    fields.writeUInt32LE(content.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(ENTRY, 0);
    entry.writeUInt16LE(20, 4);
    fields.copy(entry, 6);
    entry.writeUInt32LE(offset, 42);
    directory.push(entry, name);
    const mark = Buffer.alloc(4);
    mark.writeUInt32LE(LOCAL, 0);
    bodies.push(mark, fields, name, content);
    offset += 30 + name.length + content.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(END, 0);
  end.writeUInt16LE(parts.size, 8);
  end.writeUInt16LE(parts.size, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, entries, end]);
}

function inflate(name: string, zip: Buffer, { entry, budget }: { entry: number; budget: number }): Buffer {
  const method = zip.readUInt16LE(entry + 10);
  const size = zip.readUInt32LE(entry + 20);
  const local = zip.readUInt32LE(entry + 42);
  if (local + 30 > zip.length || zip.readUInt32LE(local) !== LOCAL) throw damaged(name);
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  if (start + size > zip.length) throw damaged(name);
  const content = zip.subarray(start, start + size);
  if (method === STORED && size <= budget) return content;
  if (method === STORED) throw tooLarge(name);
  if (method !== DEFLATED) throw damaged(name);
  try {
    return inflateRawSync(content, { maxOutputLength: Math.max(budget, 1) });
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(name);
    throw damaged(name);
  }
}

/** The end record stands in the last 64 KB, before a comment of any content. */
function findEnd(zip: Buffer): number {
  for (let at = zip.length - 22; at >= 0 && at >= zip.length - 22 - 0xffff; at -= 1)
    if (zip.readUInt32LE(at) === END) return at;
  return -1;
}

function tooLarge(name: string): VaiError {
  return new VaiError('TOO_LARGE', `${name} unpacks to more than ${MAX_INFLATED / 1024 / 1024} MB of text.`);
}

function damaged(name: string): VaiError {
  return new VaiError('FILE_UNREADABLE', `${name} is damaged.`);
}
