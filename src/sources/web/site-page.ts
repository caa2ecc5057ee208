// One page of a website, read: its text as Markdown, where it leads, and what it asks of programs. A large one is read
// where that can be stopped and holds nobody up.

import { VaiError } from '../../domain/errors.ts';
import type { ReadHtmlPage } from '../../ports/worker.ts';
import { looksLikeHtml, textOf } from './content.ts';
import { titled } from './linkindex.ts';
import { shown, type Answer } from './request.ts';

export type ReadHtml = (html: string, signal?: AbortSignal) => Promise<ReadHtmlPage>;

export interface PageContent {
  /** None where the page asks not to be kept. */
  text?: string;
  links: string[];
}

/** A page with less says nothing: the shell of an application. */
const MIN_TEXT = 80;
/** Up to this many characters a page is read in a few milliseconds, whatever it says. */
const LIGHT = 32_000;

/** `large` reads what takes longer. */
export async function readAnyHtml(
  html: string,
  large: ReadHtml,
  signal?: AbortSignal,
): Promise<ReadHtmlPage> {
  return html.length <= LIGHT ? (await import('./html.ts')).readHtml(html) : large(html, signal);
}

export async function readPage(answer: Answer, large: ReadHtml, signal: AbortSignal): Promise<PageContent> {
  const type = answer.headers['content-type'] ?? '';
  if (!looksLikeHtml(type, answer.body))
    return { text: titled(textOf(answer.url, type, answer.body).text, answer.url), links: [] };
  const { links, keep, title, text } = await readAnyHtml(answer.body.toString('utf8'), large, signal);
  if (!keep) return { links };
  if (text.length < MIN_TEXT)
    throw new VaiError('NOT_DOCUMENTATION', `${shown(answer.url)} is a page without text.`);
  return { text: titled(text, answer.url, title), links };
}
