// One page of a website, read: its text as Markdown, where it leads, and what it asks of programs.

import { Parser } from 'htmlparser2';
import { VaiError } from '../../domain/errors.ts';
import { looksLikeHtml, textOf } from './content.ts';
import { htmlToMarkdown, MAX_DEPTH } from './html.ts';
import { titled } from './linkindex.ts';
import { shown, type Answer } from './request.ts';

export interface PageContent {
  /** None where the page asks not to be kept. */
  text?: string;
  links: string[];
}

/** A page with less says nothing: the shell of an application. */
const MIN_TEXT = 80;
const MAX_LINKS = 1000;

export function readPage(answer: Answer): PageContent {
  const type = answer.headers['content-type'] ?? '';
  if (!looksLikeHtml(type, answer.body))
    return { text: titled(textOf(answer.url, type, answer.body).text, answer.url), links: [] };
  const html = answer.body.toString('utf8');
  const { links, keep } = linksOf(html);
  if (!keep) return { links };
  const { title, text } = htmlToMarkdown(html);
  if (text.length < MIN_TEXT)
    throw new VaiError('NOT_DOCUMENTATION', `${shown(answer.url)} is a page without text.`);
  return { text: titled(text, answer.url, title), links };
}

/** `nofollow` is obeyed, on a link and for the whole page; `noindex` and `none` as well. */
function linksOf(html: string): { links: string[]; keep: boolean } {
  const links: string[] = [];
  let keep = true;
  let follow = true;
  let depth = 0;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (++depth > MAX_DEPTH) throw new VaiError('NOT_DOCUMENTATION', 'The page is nested too deep.');
      if (name === 'a' && attributes['href'] && links.length < MAX_LINKS) {
        if (!/\bnofollow\b/i.test(attributes['rel'] ?? '')) links.push(attributes['href']);
      } else if (name === 'meta' && /^(?:robots|vai)$/i.test(attributes['name'] ?? '')) {
        const asks = (attributes['content'] ?? '')
          .toLowerCase()
          .split(',')
          .map((word) => word.trim());
        if (asks.includes('noindex') || asks.includes('none')) keep = false;
        if (asks.includes('nofollow') || asks.includes('none')) follow = false;
      }
    },
    onclosetag() {
      depth -= 1;
    },
  });
  parser.end(html);
  return { links: follow ? links : [], keep };
}
