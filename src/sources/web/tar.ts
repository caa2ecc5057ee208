// Reads a tar archive as it comes in: plain files only, one in memory at a time. Links, devices and everything else are
// passed over, so nothing that is written later can lead out of its folder. Names are given as they stand in the
// archive; whoever writes them checks them.

import { VaiError } from '../../domain/errors.ts';

const BLOCK = 512;
/** Long names and other properties of an entry; no honest one is near it. */
const MAX_PROPERTIES = 64 * 1024;

export interface TarVisitor {
  /** Whether the file's bytes are wanted; called for every file. */
  wants(name: string, size: number): boolean;
  file(name: string, bytes: Buffer): Promise<void>;
  /** An entry that is not a plain file or a folder. */
  other(name: string): void;
}

/** Gives the comment of the archive: Git writes the commit there. */
export async function readTar(
  stream: AsyncIterable<Buffer>,
  visitor: TarVisitor,
): Promise<{ comment?: string }> {
  const bytes = new Bytes(stream);
  let comment: string | undefined;
  let next: { path?: string; size?: string } = {};
  for (;;) {
    const header = await bytes.read(BLOCK);
    // Two empty blocks end an archive; one is taken as the end as well.
    if (header === undefined || header.every((byte) => byte === 0)) return comment ? { comment } : {};
    requireChecksum(header);
    const type = String.fromCharCode(header[156]!);
    const size = sizeOf(next.size, header);
    const padding = (BLOCK - (size % BLOCK)) % BLOCK;
    if (type === 'x' || type === 'g' || type === 'L') {
      if (size > MAX_PROPERTIES) throw damaged('an entry has too many properties');
      const text = (await need(bytes, size)).toString('utf8');
      if (type === 'L') next = { ...next, path: upToNul(text) };
      else if (type === 'x') next = { ...next, ...properties(text) };
      else comment = properties(text).comment ?? comment;
    } else {
      const name = next.path ?? nameOf(header);
      next = {};
      if (type === '0' || type === '\0') {
        if (visitor.wants(name, size)) await visitor.file(name, await need(bytes, size));
        else await bytes.skip(size);
      } else {
        if (type !== '5') visitor.other(name);
        await bytes.skip(size);
      }
    }
    await bytes.skip(padding);
  }
}

async function need(bytes: Bytes, size: number): Promise<Buffer> {
  const read = size === 0 ? Buffer.alloc(0) : await bytes.read(size);
  if (!read) throw damaged('it ended early');
  return read;
}

function damaged(why: string): VaiError {
  return new VaiError('FETCH_FAILED', `The archive is damaged: ${why}.`, { hint: 'Try again later.' });
}

function requireChecksum(header: Buffer): void {
  let sum = 8 * 32;
  for (let at = 0; at < BLOCK; at += 1) if (at < 148 || at >= 156) sum += header[at]!;
  if (octal(header, 148, 8) !== sum) throw damaged('a checksum is wrong');
}

function octal(header: Buffer, from: number, length: number): number {
  const text = header
    .toString('latin1', from, from + length)
    .replaceAll('\0', ' ')
    .trim();
  return /^[0-7]{1,12}$/.test(text) ? Number.parseInt(text, 8) : text === '' ? 0 : Number.NaN;
}

function sizeOf(property: string | undefined, header: Buffer): number {
  const size = property === undefined ? octal(header, 124, 12) : Number(property);
  if (!Number.isSafeInteger(size) || size < 0) throw damaged('an entry has no valid size');
  return size;
}

function nameOf(header: Buffer): string {
  const text = (from: number, length: number): string =>
    upToNul(header.toString('utf8', from, from + length));
  const prefix = header.toString('latin1', 257, 262) === 'ustar' ? text(345, 155) : '';
  return prefix === '' ? text(0, 100) : `${prefix}/${text(0, 100)}`;
}

function upToNul(text: string): string {
  const end = text.indexOf('\0');
  return end === -1 ? text : text.slice(0, end);
}

/** Lines of `length key=value`; the length counts the whole line in bytes. */
function properties(text: string): { path?: string; size?: string; comment?: string } {
  const found: Record<string, string> = {};
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    const space = rest.indexOf(32);
    const length = Number(rest.toString('latin1', 0, Math.max(0, space)));
    if (space < 1 || !Number.isInteger(length) || length <= space + 1 || length > rest.length) break;
    const line = rest.toString('utf8', space + 1, length - 1);
    const equals = line.indexOf('=');
    if (equals > 0) found[line.slice(0, equals)] = line.slice(equals + 1);
    rest = rest.subarray(length);
  }
  const { path, size, comment } = found;
  return {
    ...(path === undefined ? {} : { path }),
    ...(size === undefined ? {} : { size }),
    ...(comment === undefined ? {} : { comment }),
  };
}

/** A stream from which a given number of bytes can be taken. */
class Bytes {
  readonly #source: AsyncIterator<Buffer, undefined>;
  #parts: Buffer[] = [];
  #length = 0;

  constructor(stream: AsyncIterable<Buffer>) {
    this.#source = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
  }

  /** Undefined at the end; an end within is an error. */
  async read(size: number): Promise<Buffer | undefined> {
    while (this.#length < size) {
      const next = await this.#source.next();
      if (next.done) {
        if (this.#length === 0) return undefined;
        throw damaged('it ended early');
      }
      this.#parts.push(next.value);
      this.#length += next.value.length;
    }
    const all = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts, this.#length);
    this.#keep(all.subarray(size));
    return all.subarray(0, size);
  }

  async skip(size: number): Promise<void> {
    let left = size;
    while (left > 0) {
      if (this.#length === 0) {
        const next = await this.#source.next();
        if (next.done) throw damaged('it ended early');
        this.#keep(next.value);
      }
      const [first = Buffer.alloc(0), ...others] = this.#parts;
      const taken = Math.min(left, first.length);
      left -= taken;
      this.#parts = first.length > taken ? [first.subarray(taken), ...others] : others;
      this.#length -= taken;
    }
  }

  #keep(rest: Buffer): void {
    this.#parts = rest.length > 0 ? [rest] : [];
    this.#length = rest.length;
  }
}
