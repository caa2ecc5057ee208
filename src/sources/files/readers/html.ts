// HTML as readable text. Tags are blanked out in place, so that line N of the text is line N of the file; only a file
// written on a few enormous lines is laid out anew, and says so.

import { Parser } from 'htmlparser2';
import type { Metadata } from '../../../domain/document.ts';
import { VaiError } from '../../../domain/errors.ts';
import { decodeText } from '../decode.ts';
import { readText, type Reader } from '../reader.ts';

export interface HtmlText {
  text: string;
  title?: string;
  description?: string;
  headings: { level: number; text: string; line: number }[];
}

const HIDDEN = new Set([
  'script',
  'style',
  'template',
  'svg',
  'math',
  'iframe',
  'object',
  'noscript',
  'head',
]);
const BLOCKS = new Set(
  (
    'address article aside blockquote body br caption center dd details dialog div dl dt fieldset figcaption figure footer ' +
    'form h1 h2 h3 h4 h5 h6 header hr html legend li main menu nav ol option p pre section select summary table tbody td ' +
    'tfoot th thead tr ul'
  ).split(' '),
);
const MINIFIED_LINE = 1000;
/** The parser's cost grows with the depth of open elements; no page that people read is this deep. */
const MAX_DEPTH = 512;

export const readHtml: Reader = (name, bytes) => {
  const { text: html, notices } = decodeText(name, bytes);
  const lines = html.split('\n').length;
  const reflow = html.length > 4000 && html.length / lines > MINIFIED_LINE;
  if (reflow) notices.push('The file has no lines of readable length: lines count in the extracted text.');
  const { text, title, description, headings } = htmlText(html, reflow);
  const metadata: Metadata = description ? { description } : {};
  return readText({ text, syntax: 'plain', title, metadata, headings, notices });
};

/** `reflow` begins a line with every block; otherwise only line ends of the file are line ends of the text. */
export function htmlText(html: string, reflow: boolean): HtmlText {
  const out = new Output(reflow);
  const headings: HtmlText['headings'] = [];
  let title: string | undefined;
  let description: string | undefined;
  let depth = 0;
  let hidden = 0;
  let inTitle = false;
  let pre = 0;
  let heading: { level: number; text: string; line: number; empty: boolean } | undefined;
  let consumed = 0;

  /** Keeps the line ends of markup that is left out. */
  const passTo = (offset: number): void => {
    const line = out.line;
    if (!reflow) out.breaks(html, consumed, offset);
    // A line end inside a tag parts the words of a heading as it parts its lines.
    if (heading && out.line > line) heading.text += ' ';
    consumed = Math.max(consumed, offset);
  };

  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1;
        if (depth > MAX_DEPTH) throw new VaiError('FILE_UNREADABLE', 'The HTML is nested too deep.');
        if (HIDDEN.has(name)) hidden += 1;
        if (name === 'title') inTitle = true;
        if (name === 'meta' && attributes['name']?.toLowerCase() === 'description')
          description ??= clean(attributes['content'] ?? '', 500);
        if (hidden > 0) return;
        if (name === 'pre' || name === 'textarea') pre += 1;
        if (BLOCKS.has(name)) {
          out.block();
          if (heading) heading.text += ' ';
        }
        if (name === 'li') out.text('- ', false);
        if (name === 'img' && attributes['alt']) out.text(clean(attributes['alt'], 300), false);
        const level = /^h([1-6])$/.exec(name)?.[1];
        if (level) heading = { level: Number(level), text: '', line: out.line, empty: true };
      },
      onclosetag(name) {
        depth -= 1;
        if (HIDDEN.has(name)) hidden = Math.max(0, hidden - 1);
        if (name === 'title') inTitle = false;
        if (hidden > 0) return;
        if (name === 'pre' || name === 'textarea') pre = Math.max(0, pre - 1);
        if (heading && /^h[1-6]$/.test(name)) {
          const { level, line } = heading;
          const shown = clean(heading.text, 500);
          if (shown) headings.push({ level, line, text: shown });
          heading = undefined;
        }
        if (BLOCKS.has(name)) {
          out.block();
          if (heading) heading.text += ' ';
        }
      },
      ontext(data) {
        if (inTitle) title = (title ?? '') + data;
        if (hidden > 0) return;
        passTo(parser.startIndex);
        const end = parser.endIndex + 1;
        const written = html.slice(parser.startIndex, end);
        consumed = Math.max(consumed, end);
        // A line end that was written as an entity is not one of the file.
        const value = written.includes('\n') ? data : data.replaceAll(/[\r\n]+/g, ' ');
        if (heading) {
          // The text so far is not looked at again: a heading of many pieces would be read once for each.
          if (heading.empty && value.trim() !== '') {
            heading.line = out.line + leadingBreaks(value, reflow);
            heading.empty = false;
          }
          heading.text += value;
        }
        out.text(value, pre > 0);
      },
    },
    { decodeEntities: true, lowerCaseTags: true },
  );
  parser.write(html);
  parser.end();
  passTo(html.length);
  const shownTitle = title === undefined ? undefined : clean(title, 300);
  return {
    text: out.toString(),
    ...(shownTitle ? { title: shownTitle } : {}),
    ...(description ? { description } : {}),
    headings,
  };
}

function leadingBreaks(value: string, reflow: boolean): number {
  if (reflow) return 0;
  return value.slice(0, value.search(/\S/)).split('\n').length - 1;
}

function clean(text: string, most: number): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, most);
}

/** Collects text with single spaces, and knows the line it is on. */
class Output {
  line = 1;
  #parts: string[] = [];
  #atLineStart = true;
  #spaced = true;
  readonly #reflow: boolean;

  constructor(reflow: boolean) {
    this.#reflow = reflow;
  }

  breaks(html: string, from: number, to: number): void {
    for (let at = from; at < to; at += 1) if (html.charCodeAt(at) === 10) this.#newline();
  }

  block(): void {
    if (this.#atLineStart) return;
    if (this.#reflow) this.#newline();
    else this.#space();
  }

  text(value: string, verbatim: boolean): void {
    if (verbatim) return this.#verbatim(value);
    const rest = this.#reflow ? value.replaceAll(/\s+/g, ' ') : value;
    for (const [at, line] of rest.split('\n').entries()) {
      if (at > 0) this.#newline();
      const spaced = line.replaceAll(/\s+/g, ' ');
      const words = spaced.trim();
      if (spaced.startsWith(' ')) this.#space();
      if (words !== '') this.#push(words);
      if (spaced.endsWith(' ')) this.#space();
    }
  }

  #verbatim(value: string): void {
    for (const [at, line] of value.replaceAll('\r\n', '\n').split('\n').entries()) {
      if (at > 0) this.#newline();
      if (line !== '') this.#push(line);
    }
  }

  #push(text: string): void {
    this.#parts.push(text);
    this.#atLineStart = false;
    this.#spaced = false;
  }

  #space(): void {
    if (this.#spaced || this.#atLineStart) return;
    this.#parts.push(' ');
    this.#spaced = true;
  }

  #newline(): void {
    this.#parts.push('\n');
    this.line += 1;
    this.#atLineStart = true;
    this.#spaced = true;
  }

  toString(): string {
    return this.#parts.join('');
  }
}
