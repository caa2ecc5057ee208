// A page that is offered only as HTML, turned into Markdown: headings, paragraphs, lists and code of its main part.
// Navigation, scripts and forms are left out. Good enough to search and cite, not to print.

import { Parser } from 'htmlparser2';
import { VaiError } from '../../domain/errors.ts';

const SKIPPED = new Set(
  'script style noscript template svg nav footer aside iframe form button dialog select head'.split(' '),
);
const BLOCKS = new Set(
  'p div section article main ul ol dl dt dd table tr blockquote figure figcaption details summary header'.split(
    ' ',
  ),
);
/** The parser looks through all open elements at some ends; no page that people read is this deep. */
const MAX_DEPTH = 512;

export interface PageText {
  title: string;
  text: string;
}

export function htmlToMarkdown(html: string): PageText {
  const whole = convert(html, undefined);
  for (const root of ['main', 'article']) {
    if (!new RegExp(`<${root}[\\s>]`, 'i').test(html)) continue;
    const part = convert(html, root);
    if (part.text.length > 200 || part.text.length * 2 > whole.text.length) return part;
  }
  return whole;
}

function convert(html: string, root: string | undefined): PageText {
  const out = new Writer();
  let title = '';
  let inTitle = false;
  let skip = 0;
  let inside = root === undefined ? 1 : 0;
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(name) {
        if (++depth > MAX_DEPTH) throw new VaiError('NOT_DOCUMENTATION', 'The page is nested too deep.');
        if (name === 'title') inTitle = true;
        if (SKIPPED.has(name)) skip += 1;
        if (name === root) inside += 1;
        if (skip === 0 && inside > 0) out.open(name);
      },
      ontext(text) {
        if (inTitle && title.length < 500) title += text;
        else if (skip === 0 && inside > 0) out.text(text);
      },
      onclosetag(name) {
        depth -= 1;
        if (name === 'title') inTitle = false;
        if (skip === 0 && inside > 0) out.close(name);
        if (name === root) inside -= 1;
        if (SKIPPED.has(name)) skip = Math.max(0, skip - 1);
      },
    },
    { decodeEntities: true },
  );
  parser.end(html);
  return { title: collapse(title), text: out.finish() };
}

/** Collects lines; knows whether it stands in code, in a heading or in running text. */
class Writer {
  private readonly lines: string[] = [];
  private current = '';
  /** Whether `current` has more than white space; looking at it each time would read it all again. */
  private written = false;
  private prefix = '';
  private pre = 0;

  open(name: string): void {
    if (name === 'pre') {
      this.endLine();
      if (this.pre++ === 0) this.lines.push('', '```');
    } else if (this.pre > 0) return;
    else if (/^h[1-6]$/.test(name)) {
      this.paragraph();
      this.prefix = `${'#'.repeat(Number(name[1]))} `;
    } else if (name === 'li') {
      this.endLine();
      this.prefix = '- ';
    } else if (name === 'br') this.endLine();
    else if (name === 'td' || name === 'th') this.current += this.written ? ' | ' : '';
    else if (name === 'code') this.mark();
    else if (BLOCKS.has(name)) this.paragraph();
  }

  text(text: string): void {
    this.current += this.pre > 0 ? text : text.replaceAll(/\s+/g, ' ');
    this.written ||= text.trim() !== '';
  }

  close(name: string): void {
    if (name === 'pre') {
      if (this.pre === 0 || --this.pre > 0) return;
      const code = this.current.startsWith('\n') ? this.current.slice(1) : this.current;
      this.lines.push(code.trimEnd(), '```', '');
      this.restart();
    } else if (this.pre > 0) return;
    else if (name === 'code') this.mark();
    else if (/^h[1-6]$/.test(name) || BLOCKS.has(name)) this.paragraph();
    else if (name === 'li') this.endLine();
  }

  finish(): string {
    this.paragraph();
    if (this.pre > 0) this.lines.push('```');
    return this.lines
      .join('\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim();
  }

  private endLine(): void {
    if (this.pre > 0) return;
    const text = collapse(this.current);
    if (text !== '') {
      this.lines.push(this.prefix + text);
      this.prefix = '';
    }
    this.restart();
  }

  private mark(): void {
    this.current += '`';
    this.written = true;
  }

  private restart(): void {
    this.current = '';
    this.written = false;
  }

  private paragraph(): void {
    this.endLine();
    if (this.pre === 0) this.lines.push('');
  }
}

function collapse(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
