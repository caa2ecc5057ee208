// A file of lines that several processes append to and that does not grow for ever: beyond a size it is set aside under
// the time, and the oldest of those go. Opened for every append, so that a file set aside by another process is left
// alone at once.

import {
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from '../make-folder.ts';

export interface RotatingFile {
  /** Throws when the file cannot be written; then nothing of the lines is in it. */
  append(lines: string): void;
}

export interface Rotation {
  maxBytes: number;
  /** Files set aside that are kept. */
  keep: number;
}

export function rotatingFile(file: string, { maxBytes, keep }: Rotation, now: () => Date): RotatingFile {
  let ready = false;
  const rotate = (): void => {
    const stamp = now().toISOString().replaceAll(/[-:]/g, '');
    renameSync(file, `${file}.${stamp}.${process.pid}`);
    for (const old of setAside(file).slice(0, -keep)) rmSync(old, { force: true });
  };
  return {
    append(lines) {
      if (!ready) makeFolder(dirname(file), 0o700);
      ready = true;
      const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
      if (size > 0 && size + lines.length > maxBytes) rotate();
      write(file, Buffer.from(lines));
    },
  };
}

function write(file: string, bytes: Buffer): void {
  const descriptor = openSync(file, 'a+', 0o600);
  try {
    const before = fstatSync(descriptor).size;
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
    } catch (error) {
      takeBack(descriptor, before, bytes);
      throw error;
    }
  } finally {
    closeSync(descriptor);
  }
}

/** A disk that is full takes the beginning of a line. It goes, unless another process has written behind it. */
function takeBack(descriptor: number, before: number, bytes: Buffer): void {
  const length = fstatSync(descriptor).size - before;
  if (length <= 0 || length >= bytes.length) return;
  const left = Buffer.alloc(length);
  readSync(descriptor, left, 0, length, before);
  if (left.equals(bytes.subarray(0, length))) ftruncateSync(descriptor, before);
}

/** The files set aside, oldest first. */
export function setAside(file: string): string[] {
  const prefix = `${basename(file)}.`;
  return readdirSync(dirname(file))
    .filter((name) => name.startsWith(prefix) && /^\d{8}T\d{6}\.\d{3}Z\.\d+$/.test(name.slice(prefix.length)))
    .sort()
    .map((name) => join(dirname(file), name));
}
