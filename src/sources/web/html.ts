// A page that is offered only as HTML, turned into Markdown: headings, paragraphs, lists, tables and code of its main
// part. Navigation, scripts and forms are left out. Good enough to search and cite, not to print.

import { Parser } from 'htmlparser2';
import { VaiError } from '../../domain/errors.ts';
import { collapseSpace } from '../../domain/text.ts';
import type { ReadHtmlPage } from '../../ports/worker.ts';

const SKIPPED = new Set(
  'script style noscript template svg nav footer aside iframe form button dialog select head'.split(' '),
);
const BLOCKS = new Set(
  'p div section article main ul ol dl dt dd table tr td th blockquote figure figcaption details summary header'.split(
    ' ',
  ),
);
/** The parser looks through all open elements at some ends; no page that people read is this deep. */
const MAX_DEPTH = 512;
const MAX_LINKS = 1000;

export interface PageText {
  title: string;
  text: string;
}

/** The page, where it leads, and whether it may be kept. */
export function readHtml(html: string): ReadHtmlPage {
  return { ...linksOf(html), ...htmlToMarkdown(html) };
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
  /** The depth of the element that is left out, with all that is in it. */
  let skip = 0;
  let inside = root === undefined ? 1 : 0;
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (++depth > MAX_DEPTH) throw new VaiError('NOT_DOCUMENTATION', 'The page is nested too deep.');
        if (name === 'title') inTitle = true;
        if (skip === 0 && isSkipped(name, attributes)) skip = depth;
        if (name === root) inside += 1;
        if (skip === 0 && inside > 0) out.open(name, attributes);
      },
      ontext(text) {
        if (inTitle && title.length < 500) title += text;
        else if (skip === 0 && inside > 0) out.text(text);
      },
      onclosetag(name) {
        if (name === 'title') inTitle = false;
        if (skip === 0 && inside > 0) out.close(name);
        if (name === root) inside -= 1;
        if (skip === depth) skip = 0;
        depth -= 1;
      },
    },
    { decodeEntities: true },
  );
  parser.end(html);
  return { title: collapseSpace(title).trim(), text: out.finish() };
}

const ROLES = new Set(['navigation', 'search', 'contentinfo', 'complementary', 'menu', 'menubar', 'dialog']);
/** The mark beside a heading that links to itself. */
const MARK = /(?:^|\s)(?:headerlink|header-anchor|heading-anchor|hash-link|anchor-link)(?:\s|$)/;

type Attributes = Readonly<Record<string, string>>;

function isSkipped(
  name: string,
  { role, hidden, class: classes, 'aria-hidden': unseen }: Attributes,
): boolean {
  if (SKIPPED.has(name) || ROLES.has(role ?? '')) return true;
  // Tabs that are not shown at first are text all the same.
  if (hidden !== undefined && role !== 'tabpanel') return true;
  return name === 'a' ? MARK.test(classes ?? '') : unseen === 'true' && name !== 'body';
}

/** Collects lines; knows whether it stands in code, in a heading or in running text. */
class Writer {
  private readonly lines: string[] = [];
  private current = '';
  /** Whether `current` has more than white space; looking at it each time would read it all again. */
  private written = false;
  private prefix = '';
  private pre = 0;
  /** Tables that are open; the cells of the row of the outermost one, and how many rows it has. */
  private tables = 0;
  private cells: string[] = [];
  private rows = 0;

  open(name: string, attributes: Attributes): void {
    if (this.tables > 0 && /^(?:pre|h[1-6])$/.test(name)) this.leaveTable();
    if (name === 'pre') {
      this.endLine();
      if (this.pre++ === 0) this.lines.push('', `\`\`\`${language(attributes)}`);
    } else if (this.pre > 0) {
      // Often the code inside says what it is.
      if (name === 'code' && this.lines.at(-1) === '```')
        this.lines[this.lines.length - 1] += language(attributes);
    } else if (this.tables > 0) this.openCell(name);
    else if (name === 'table') {
      this.paragraph();
      this.tables += 1;
      this.rows = 0;
    } else if (/^h[1-6]$/.test(name)) {
      this.paragraph();
      this.prefix = `${'#'.repeat(Number(name[1]))} `;
    } else if (name === 'li') {
      this.endLine();
      this.prefix = '- ';
    } else if (name === 'br') this.endLine();
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
    else if (this.tables > 0) this.closeCell(name);
    else if (name === 'code') this.mark();
    else if (/^h[1-6]$/.test(name) || BLOCKS.has(name)) this.paragraph();
    else if (name === 'li') this.endLine();
  }

  /** A cell is one line, whatever is in it. */
  private openCell(name: string): void {
    if (name === 'table') this.tables += 1;
    else if (name === 'code') this.mark();
    else if (this.tables === 1 && (name === 'td' || name === 'th')) this.restart();
    else this.current += ' ';
  }

  private closeCell(name: string): void {
    if (name === 'table') {
      this.tables -= 1;
      if (this.tables === 0) this.paragraph();
    } else if (name === 'code') this.mark();
    else if (this.tables > 1) this.current += ' ';
    else if (name === 'td' || name === 'th') {
      this.cells.push(collapseSpace(this.current).trim().replaceAll('|', '\\|'));
      this.restart();
    } else if (name === 'tr') this.endRow();
    else if (name === 'caption') this.paragraph();
    else this.current += ' ';
  }

  /** Code and headings do not fit in a cell: this table only lays out a page, and is read as text from here. */
  private leaveTable(): void {
    this.tables = 0;
    for (const cell of this.cells) this.lines.push(cell, '');
    this.cells = [];
    this.paragraph();
  }

  private endRow(): void {
    if (this.cells.length > 0) {
      this.lines.push(`| ${this.cells.join(' | ')} |`);
      if (this.rows++ === 0) this.lines.push(`|${' --- |'.repeat(this.cells.length)}`);
    }
    this.cells = [];
    this.restart();
  }

  finish(): string {
    if (this.cells.length > 0) this.endRow();
    this.paragraph();
    if (this.pre > 0) this.lines.push('```');
    return this.lines
      .join('\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim();
  }

  private endLine(): void {
    if (this.pre > 0) return;
    const text = collapseSpace(this.current).trim();
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

/** `language-ts`, `lang-ts`, `highlight-source-ts` or `data-lang`: what a code block is written in. */
function language({
  class: classes = '',
  'data-lang': lang = '',
  'data-language': other = '',
}: Attributes): string {
  const named =
    /(?:^|\s)(?:language|lang|highlight-source)-([\w+#-]{1,20})/.exec(classes)?.[1] ?? (lang || other);
  return /^[\w+#-]{1,20}$/.test(named) ? named : '';
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
