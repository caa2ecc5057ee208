// Bytes to text: UTF-8, or UTF-16 with a byte order mark. The mark is removed; nothing else changes but what is not text
// at all, which is replaced and noted. Too much of that, and the file is refused as binary.

import { isUtf8 } from 'node:buffer';
import { VaiError } from '../../domain/errors.ts';

export interface Decoded {
  text: string;
  notices: string[];
}

/** Of all characters, how many may be undecodable or control characters. */
const MAX_BROKEN = 0.05;
const MAX_CONTROL = 0.02;
const CONTROL = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/g; // eslint-disable-line no-control-regex

export function decodeText(name: string, bytes: Uint8Array): Decoded {
  const notices: string[] = [];
  const text = withoutControls(name, decodeBytes(name, bytes, notices), notices);
  return { text, notices };
}

function decodeBytes(name: string, bytes: Uint8Array, notices: string[]): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeWide(bytes, 'utf-16le', notices);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decodeWide(bytes, 'utf-16be', notices);
  const body = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  if (isUtf8(body)) return text;
  const broken = count(text, /\ufffd/g);
  if (broken > 8 && broken > text.length * MAX_BROKEN) throw binary(name);
  notices.push(`${broken} invalid UTF-8 sequences were replaced.`);
  return text;
}

function decodeWide(bytes: Uint8Array, encoding: 'utf-16le' | 'utf-16be', notices: string[]): string {
  const text = new TextDecoder(encoding).decode(bytes);
  if (!text.isWellFormed()) notices.push('Invalid UTF-16 sequences were replaced.');
  return text.toWellFormed();
}

/** NUL and other control characters stop tools and stores that expect text. */
function withoutControls(name: string, text: string, notices: string[]): string {
  if (text.search(CONTROL) === -1) return text;
  const controls = count(text, CONTROL);
  if (controls > 4 && controls > text.length * MAX_CONTROL) throw binary(name);
  const clean = text.replaceAll('\u0000', '\ufffd');
  if (clean !== text) notices.push('NUL characters were replaced.');
  return clean;
}

function count(text: string, pattern: RegExp): number {
  let found = 0;
  for (const _ of text.matchAll(pattern)) found += 1;
  return found;
}

export function binary(name: string): VaiError {
  return new VaiError('UNSUPPORTED_FORMAT', `${shortName(name)} is not a text file.`, {
    hint: 'Supported are Markdown, text, reStructuredText, AsciiDoc, HTML, JSON, CSV, notebooks, OpenAPI, source code, PDF and DOCX.',
  });
}

/** The file's own name, bounded: a path of this machine never reaches a message. */
export function shortName(name: string): string {
  const base = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  return base.length > 80 ? `${base.slice(0, 77)}...` : base || 'The file';
}
