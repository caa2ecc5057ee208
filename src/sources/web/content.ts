// Whether an answer is documentation: text, not an HTML shell, not binary, not empty. Many sites answer every path
// with status 200 and their single-page application, so type and first bytes are both looked at.

import { VaiError } from '../../domain/errors.ts';
import { formatOf } from '../files/formats.ts';
import { shown } from './request.ts';

export interface TextBody {
  text: string;
  notices: string[];
}

const TEXT_TYPES =
  /^(text\/(?!html|css|javascript|calendar|vcard)|application\/(markdown|x-markdown|octet-stream|toml|yaml|x-yaml|rtf)|$)/;

export function looksLikeHtml(contentType: string, body: Uint8Array): boolean {
  if (/^\s*(text\/html|application\/xhtml)/i.test(contentType)) return true;
  const start = Buffer.from(body.subarray(0, 2048))
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '');
  return /^<(?:!doctype\s+html|(?:html|head|body)[\s>])/i.test(withoutComments(start));
}

/** Many pages begin with a comment or several. */
function withoutComments(markup: string): string {
  let rest = markup.trimStart();
  while (rest.startsWith('<!--')) {
    const end = rest.indexOf('-->', 4);
    if (end === -1) return '';
    rest = rest.slice(end + 3).trimStart();
  }
  return rest;
}

function looksBinary(body: Uint8Array): boolean {
  const sample = body.subarray(0, 8192);
  let odd = 0;
  for (const byte of sample) {
    if (byte === 0) return true;
    if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27)) odd += 1;
  }
  return odd > sample.length / 20;
}

/**
 * What to call an answer that a reader of files makes a text of: an OpenAPI description, a notebook or a PDF. Told by its
 * bytes, its type and the addresses it was found at, because hosts of raw files call everything plain text.
 */
export function fileNameOf(
  urls: readonly string[],
  contentType: string,
  body: Uint8Array,
): string | undefined {
  if (looksLikeHtml(contentType, body)) return undefined;
  const names = urls.map((url) => new URL(url).pathname.split('/').at(-1)!.slice(-100));
  const subtype = /^[a-z]+\/([\w.+-]+)/i.exec(contentType.trim())?.[1]?.toLowerCase() ?? '';
  const typed = SUBTYPES.find(([pattern]) => pattern.test(subtype))?.[1];
  const candidates = [...names, ...(typed ? [`${names[0] || 'document'}.${typed}`] : [])];
  for (const name of candidates) {
    const format = formatOf(name, body);
    if (format) return name.toLowerCase().endsWith(`.${format}`) ? name : `${name || 'document'}.${format}`;
  }
  return undefined;
}

const SUBTYPES: readonly (readonly [RegExp, string])[] = [
  [/^pdf$/, 'pdf'],
  [/^x-ipynb\+json$/, 'ipynb'],
  [/(?:^|\+|[.-])json$/, 'json'],
  [/(?:^|\+|[.-])ya?ml$/, 'yaml'],
];

/** UTF-8 text without its byte order mark; throws NOT_DOCUMENTATION with the reason. */
export function textOf(url: string, contentType: string, body: Uint8Array): TextBody {
  if (looksLikeHtml(contentType, body)) throw refuse(url, 'is an HTML page, not a text document');
  const type = contentType.split(';')[0]!.trim().toLowerCase();
  if (/^application\/(?:[\w.-]+\+)?json$/.test(type))
    throw refuse(url, 'is JSON, but neither an OpenAPI description nor a notebook');
  if (!TEXT_TYPES.test(type)) throw refuse(url, `has the type ${shown(type)}, not a text type`);
  if (looksBinary(body)) throw refuse(url, 'is binary, not text');
  let text: string;
  const notices: string[] = [];
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    text = new TextDecoder('utf-8').decode(body);
    notices.push('Some bytes were not valid UTF-8 and were replaced.');
  }
  if (text.trim() === '') throw refuse(url, 'is empty');
  return { text, notices };
}

function refuse(url: string, reason: string): VaiError {
  return new VaiError('NOT_DOCUMENTATION', `${shown(url)} ${reason}.`, {
    hint: 'Give the address of an llms-full.txt, llms.txt, Markdown, OpenAPI, notebook or PDF file; `site:https://…` reads the pages of a website.',
    data: { url },
  });
}
