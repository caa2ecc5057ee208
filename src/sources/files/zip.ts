// Checks a zip archive against a budget before a library unpacks it in memory: number of parts, and what they really
// inflate to. Zip64, encrypted and unknown compression are refused: no document needs them.

import { inflateRawSync } from 'node:zlib';
import { VaiError } from '../../domain/errors.ts';

const MAX_PARTS = 5000;
const MAX_INFLATED = 200 * 1024 * 1024;
const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;

export function checkZip(name: string, zip: Buffer): void {
  const end = findEnd(zip);
  if (end === -1) throw damaged(name);
  const parts = zip.readUInt16LE(end + 10);
  let at = zip.readUInt32LE(end + 16);
  if (parts > MAX_PARTS) throw new VaiError('TOO_LARGE', `${name} has too many parts.`);
  let budget = MAX_INFLATED;
  for (let part = 0; part < parts; part += 1) {
    if (at + 46 > zip.length || zip.readUInt32LE(at) !== ENTRY) throw damaged(name);
    const flags = zip.readUInt16LE(at + 8);
    const method = zip.readUInt16LE(at + 10);
    const size = zip.readUInt32LE(at + 20);
    const local = zip.readUInt32LE(at + 42);
    if ((flags & 1) !== 0) throw new VaiError('FILE_UNREADABLE', `${name} is encrypted.`);
    budget -= inflatedSize(name, zip, { local, size, method, budget });
    at += 46 + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
}

interface Part {
  local: number;
  size: number;
  method: number;
  budget: number;
}

function inflatedSize(name: string, zip: Buffer, { local, size, method, budget }: Part): number {
  if (local + 30 > zip.length || zip.readUInt32LE(local) !== LOCAL) throw damaged(name);
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  if (start + size > zip.length) throw damaged(name);
  if (method === 0) return size;
  if (method !== 8) throw damaged(name);
  try {
    return inflateRawSync(zip.subarray(start, start + size), { maxOutputLength: Math.max(budget, 1) }).length;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new VaiError('TOO_LARGE', `${name} unpacks to more than ${MAX_INFLATED / 1024 / 1024} MB.`);
    throw damaged(name);
  }
}

/** The end record stands in the last 64 KB, before a comment of any content. */
function findEnd(zip: Buffer): number {
  for (let at = zip.length - 22; at >= 0 && at >= zip.length - 22 - 0xffff; at -= 1)
    if (zip.readUInt32LE(at) === END) return at;
  return -1;
}

function damaged(name: string): VaiError {
  return new VaiError('FILE_UNREADABLE', `${name} is damaged.`);
}
