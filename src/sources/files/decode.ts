// Bytes to text: UTF-8, UTF-16 with a byte order mark, or what older Western editors wrote (windows-1252). The mark is
// removed; nothing else changes but what is not text at all, which is replaced and noted. Too much of that, and the file is
// refused as binary.

import { isUtf8 } from 'node:buffer';
import { VaiError } from '../../domain/errors.ts';

export interface Decoded {
  text: string;
  notices: string[];
}

/** Of all characters, how many may be undecodable or control characters. */
const MAX_BROKEN = 0.05;
const MAX_CONTROL = 0.02;
/** Of the characters of a Western text, how many may be other than ASCII; other scripts and binary data have more. */
const MAX_ACCENTED = 0.2;
/** What windows-1252 has from 0x80 to 0x9f, where it differs from Latin-1; a space stands for none. */
const FROM_80 = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';
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
  const western = body === bytes ? westernText(body, text) : undefined;
  if (broken > 8 && broken > text.length * (western === undefined ? MAX_BROKEN : MAX_ACCENTED))
    throw binary(name);
  if (western !== undefined) {
    notices.push('The text is not UTF-8 and was read as windows-1252 (Latin-1).');
    return western;
  }
  notices.push(`${broken} invalid UTF-8 sequences were replaced.`);
  return text;
}

/** Read as windows-1252, where that has all the bytes and nothing in them is a whole UTF-8 sequence. */
function westernText(bytes: Uint8Array, asUtf8: string): string | undefined {
  // eslint-disable-next-line no-control-regex
  if (/[^\u0000-\u007f\ufffd]/.test(asUtf8)) return undefined;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString('latin1');
  if (buffer.includes('\ufffd') || /[\u0081\u008d\u008f\u0090\u009d]/.test(text)) return undefined;
  // Not by TextDecoder: in some versions of Node it takes windows-1252 for Latin-1.
  return text.replaceAll(/[\u0080-\u009f]/g, (char) => FROM_80[char.charCodeAt(0) - 0x80]!);
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
