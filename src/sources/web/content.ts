// Whether an answer is documentation: text, not an HTML shell, not binary, not empty. Many sites answer every path
// with status 200 and their single-page application, so type and first bytes are both looked at.

import { VaiError } from '../../domain/errors.ts';
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

/** UTF-8 text without its byte order mark; throws NOT_DOCUMENTATION with the reason. */
export function textOf(url: string, contentType: string, body: Uint8Array): TextBody {
  if (looksLikeHtml(contentType, body)) throw refuse(url, 'is an HTML page, not a text document');
  const type = contentType.split(';')[0]!.trim().toLowerCase();
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
    hint: 'Give the address of an llms-full.txt, llms.txt or Markdown file; `site:https://…` reads the pages of a website.',
    data: { url },
  });
}
