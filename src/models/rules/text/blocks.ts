// Splits a document into the blocks that are read differently: front matter, headings, fences, tables, list items and
// paragraphs, each with its line. Markdown, reStructuredText and AsciiDoc, told apart by the file's name. One pass over
// the lines: it runs on whole documents and needs positions, not a syntax tree.

import { readDirective } from './rst.ts';
import { isRule, readAsciiTable, readPipeTable, readSimpleTable } from './tables.ts';

export type Syntax = 'markdown' | 'rst' | 'asciidoc';

export interface TextBlock {
  kind: 'item' | 'paragraph';
  line: number;
  text: string;
  /** Columns before the text; what stands further in than an item belongs to it. */
  indent: number;
  /** The term of a definition list, which the text explains. */
  term?: string;
  /** A numbered item is a step. */
  ordered?: boolean;
}

export interface TableBlock {
  kind: 'table';
  line: number;
  header: string[];
  rows: { line: number; cells: string[] }[];
}

export type Block =
  | { kind: 'front'; line: number; text: string }
  | { kind: 'heading'; line: number; level: number; text: string }
  | { kind: 'fence'; line: number; language: string; text: string }
  | TableBlock
  | TextBlock;

const MAX_LINES = 50_000;
const MAX_LINE = 20_000;

export interface Reader {
  lines: readonly string[];
  syntax: Syntax;
  startLine: number;
  blocks: Block[];
  /** Underlines of reStructuredText headings in the order they were met: that is their level. */
  underlines: string[];
}

export function syntaxOf(path: string): Syntax {
  if (/\.rst$/i.test(path)) return 'rst';
  return /\.(?:adoc|asciidoc)$/i.test(path) ? 'asciidoc' : 'markdown';
}

/** Source code, settings and data hold no sentences. */
const NOT_PROSE =
  /\.(?:[cm]?[jt]sx?|vue|svelte|astro|pyi?|rb|go|rs|java|kts?|scala|groovy|[ch](?:c|pp|xx|h)?|mm?|cs|fsx?|vb|swift|php|p[lm]|lua|r|jl|dart|exs?|[eh]rl|hs|mli?|cljs?|lisp|el|scm|sh|bash|zsh|fish|ps1|bat|cmd|sql|g(?:raph)?ql|proto|hcl|nix|zig|nim|v|sol|cmake|ma?ke?|gradle|s?css|sass|less|jsonl|ndjson|json5|jsonc|geojson|[ct]sv|toml|ini|cfg|conf|properties|env|xml|svg|rss|atom|bib|srt|vtt|diff|patch|plist|po|log|map|snap|lock)$/i;

export function isProse(path: string): boolean {
  return !NOT_PROSE.test(path);
}

export function blocksOf(text: string, startLine: number, syntax: Syntax): Block[] {
  const lines = text.split('\n', MAX_LINES).map((line) => expand(line));
  const reader: Reader = { lines, syntax, startLine, blocks: [], underlines: [] };
  let at = startLine === 1 ? readFront(reader) : 0;
  while (at < lines.length) at += readAt(reader, at, lines.length);
  return reader.blocks;
}

/** Reads what begins at a line and says how many lines it took; nothing beyond `end` belongs to it. */
export function readAt(reader: Reader, at: number, end: number): number {
  const line = reader.lines[at]!;
  if (line.trim() === '') return 1;
  return (
    readFence(reader, at, end) ||
    readTagged(reader, at, end) ||
    readComment(reader, at, end) ||
    (reader.syntax === 'rst' ? readDirective(reader, at, end) : 0) ||
    readHeading(reader, at, end) ||
    readTable(reader, at, end) ||
    readText(reader, at, end)
  );
}

function expand(line: string): string {
  const bare = line.endsWith('\r') ? line.slice(0, -1) : line;
  const short = bare.length > MAX_LINE ? bare.slice(0, MAX_LINE) : bare;
  return short.includes('\t') ? short.replaceAll('\t', '    ') : short;
}

function readFront(reader: Reader): number {
  const { lines } = reader;
  const mark = lines[0]?.trim();
  if (mark !== '---' && mark !== '+++') return 0;
  const end = lines.findIndex((line, index) => index > 0 && (line.trim() === mark || line.trim() === '...'));
  if (end < 1 || end > 400) return 0;
  reader.blocks.push({ kind: 'front', line: reader.startLine + 1, text: lines.slice(1, end).join('\n') });
  return end + 1;
}

const FENCE = /^ {0,40}(?:> ?)?(`{3,}|~{3,}) *\{?([\w+-]*)/;

function readFence(reader: Reader, at: number, end: number): number {
  const { lines, blocks, startLine, syntax } = reader;
  const line = lines[at]!;
  const marked = syntax === 'rst' ? null : FENCE.exec(line);
  const dashed = syntax === 'asciidoc' && /^(?:-{4,}|\.{4,}|\+{4,})$/.test(line.trim());
  if (!marked && !dashed) return 0;
  const mark = marked ? marked[1]! : line.trim();
  let close = at + 1;
  while (
    close < end &&
    !lines[close]!.replace(/^ *> ?/, '')
      .trimStart()
      .startsWith(mark)
  )
    close += 1;
  const declared = /^\[source, *([\w+-]+)/.exec(lines[at - 1] ?? '')?.[1];
  blocks.push({
    kind: 'fence',
    line: startLine + at + 1,
    language: (marked?.[2] ?? declared ?? '').toLowerCase(),
    text: lines.slice(at + 1, close).join('\n'),
  });
  return close + 1 - at;
}

/** A drawing between tags of a site generator: `{{< mermaid >}}`, `<div class="mermaid">`. */
const TAGGED = /^ {0,40}(?:\{\{[<%] *mermaid\b[^{}]*[>%]\}\}|<(?:div|pre) class="mermaid"[^<>]*>) *$/;
const TAGGED_END = /^ *(?:\{\{[<%] *\/ *mermaid|<\/(?:div|pre)>)/;

function readTagged(reader: Reader, at: number, end: number): number {
  const { lines, blocks, startLine } = reader;
  if (!TAGGED.test(lines[at]!)) return 0;
  let close = at + 1;
  while (close < end && !TAGGED_END.test(lines[close]!)) close += 1;
  const text = lines.slice(at + 1, close).join('\n');
  blocks.push({ kind: 'fence', line: startLine + at + 1, language: 'mermaid', text });
  return close + 1 - at;
}

/** Comments, imports and lines that hold nothing but tags. */
function readComment(reader: Reader, at: number, end: number): number {
  const line = reader.lines[at]!.trimStart();
  if (line.startsWith('<!--')) {
    let close = at;
    while (close < end && !reader.lines[close]!.includes('-->')) close += 1;
    return close + 1 - at;
  }
  if (
    reader.syntax === 'asciidoc' &&
    /^(?:\/\/|:[\w!-]+:|\[[^\]]*\]$|image::|include::|\+$|={4,}$|\*{4,}$|--$)/.test(line)
  )
    return 1;
  if (reader.syntax === 'markdown' && /^\[[^\]]{1,200}\]: *\S/.test(line)) return 1;
  if (reader.syntax === 'markdown' && /^(?:import|export) [\w{*]/.test(line) && !/[.:]$/.test(line)) return 1;
  return /^(?::{3,}|!{3}|\?{3}|\{%|\{\{%|<\/?[A-Za-z][\w.-]*(?: [^<>]*)?\/?>$)/.test(line) &&
    !/[.:]$/.test(line)
    ? 1
    : 0;
}

function readHeading(reader: Reader, at: number, end: number): number {
  const { lines, syntax } = reader;
  const line = lines[at]!;
  const next = at + 1 < end ? lines[at + 1]! : '';
  if (syntax !== 'rst') {
    const mark = syntax === 'markdown' ? '#' : '=';
    const bare = line.trimStart();
    let level = 0;
    while (bare[level] === mark) level += 1;
    if (level > 0 && level < 7 && bare[level] === ' ' && line.length - bare.length < 4)
      return (heading(reader, at, level, bare.slice(level)), 1);
  }
  if (syntax === 'rst') {
    // A line above and below, or only below.
    if (isRule(line) && at + 2 < end && isRule(lines[at + 2]!) && !isRule(next) && next.trim() !== '')
      return (heading(reader, at + 1, levelOf(reader, `^${line.trim()[0]}`), next), 3);
    const under = next.trim();
    if (
      isRule(next) &&
      !isRule(line) &&
      !line.startsWith(' ') &&
      under.length >= Math.min(3, line.trim().length)
    )
      return (heading(reader, at, levelOf(reader, under[0]!), line), 2);
    return 0;
  }
  const setext = /^ {0,3}(=+|-+) *$/.exec(next)?.[1];
  if (
    syntax === 'markdown' &&
    setext !== undefined &&
    setext.length > 2 &&
    line.length < 200 &&
    !/^\s*[-*+|>\d]/.test(line)
  )
    return (heading(reader, at, setext.startsWith('=') ? 1 : 2, line), 2);
  return 0;
}

function levelOf(reader: Reader, mark: string): number {
  if (!reader.underlines.includes(mark)) reader.underlines.push(mark);
  return reader.underlines.indexOf(mark) + 1;
}

function heading(reader: Reader, at: number, level: number, raw: string): void {
  let text = raw.trim();
  while (text.endsWith('#')) text = text.slice(0, -1);
  const anchor = text.lastIndexOf('{');
  if (anchor > 0 && text.trimEnd().endsWith('}')) text = text.slice(0, anchor);
  reader.blocks.push({
    kind: 'heading',
    line: reader.startLine + at,
    level,
    text: text.trim().slice(0, 300),
  });
}

function readTable(reader: Reader, at: number, end: number): number {
  const { syntax } = reader;
  if (syntax === 'asciidoc') return readAsciiTable(reader, at, end);
  if (syntax === 'rst') return readSimpleTable(reader, at, end);
  return readPipeTable(reader, at, end);
}

const BULLET = /^( *)(?:> *)?(?:([-*+•]|\*{2,5}|-{2,5})|(\d{1,3}|#|[a-zA-Z])[.)]|(\.{1,5})) +(.*)$/;

function readText(reader: Reader, at: number, end: number): number {
  const { lines, syntax, startLine, blocks } = reader;
  const line = lines[at]!;
  const indent = line.length - line.trimStart().length;
  const bullet = bulletOf(line, syntax);
  let stop = at + 1;
  while (stop < end && continues(reader, stop)) stop += 1;
  const body = lines.slice(at, stop).map((one) => one.replace(/^ *(?:> ?)*/, ''));
  if (bullet) {
    const alone = body.length > 1 && isName(bullet.text) && /^\s*\p{Lu}/u.test(body[1]!);
    if (alone) {
      const term = bullet.text.trim();
      const rest = body.slice(1).join('\n');
      blocks.push({ kind: 'item', line: startLine + at, indent: bullet.indent, term, text: `\n${rest}` });
      return stop - at;
    }
    body[0] = bullet.text;
    blocks.push({
      kind: 'item',
      line: startLine + at,
      text: body.join('\n'),
      indent: bullet.indent,
      ordered: bullet.ordered,
    });
    return stop - at;
  }
  const defined = definition(reader, at, stop);
  if (defined) {
    blocks.push({ kind: 'item', line: startLine + at, indent, term: defined.term, text: defined.text });
    return stop - at;
  }
  blocks.push({ kind: 'paragraph', line: startLine + at, text: body.join('\n'), indent });
  // A reStructuredText paragraph that ends with two colons announces text as it is.
  if (syntax === 'rst' && body.at(-1)!.trimEnd().endsWith('::'))
    return stop - at + literal(lines, stop, { end, indent });
  return stop - at;
}

const SHORT_LINE = 40;

/** `**Name**`, `[Name](…)`, `` `name` `` or a few words on a line of their own. */
function isName(text: string): boolean {
  const bare = text.trim().replace(/:?$/, '');
  if (bare.length > 200) return false;
  if (/^\*{0,2}(?:`[^`]+`|\[[^\]]+\]\([^)]*\)|\*\*[^*]+\*\*)\*{0,2}$/.test(bare)) return true;
  return bare.length < SHORT_LINE && /^\p{Lu}[^.,;:!?]*[^.,;:!?\s]$/u.test(bare);
}

function bulletOf(
  line: string,
  syntax: Syntax,
): { indent: number; text: string; ordered: boolean } | undefined {
  const found = BULLET.exec(line);
  if (!found) return undefined;
  const [, before, mark, number, dots, text] = found;
  if (dots !== undefined && syntax !== 'asciidoc') return undefined;
  if (mark !== undefined && mark.length > 1 && syntax !== 'asciidoc') return undefined;
  const deep = syntax === 'asciidoc' ? 2 * (mark ?? dots ?? '').length : 0;
  return { indent: before!.length + deep, text: text!, ordered: number !== undefined || dots !== undefined };
}

/** Whether a line goes on with the text before it. */
function continues(reader: Reader, at: number): boolean {
  const line = reader.lines[at]!;
  const text = line.trimStart();
  if (text === '') return false;
  if (bulletOf(line, reader.syntax)) return false;
  if (reader.syntax === 'rst') return !text.startsWith('.. ') && !isRule(line);
  return !/^(?:#{1,6} |`{3}|~{3}|\||<!--|:{3}|={2,} |-{4,}$|\[[^\]]{1,200}\]: )/.test(text);
}

/** `Term` and its explanation on the next line: `: text` in Markdown, further in, in reStructuredText; `Term:: text`. */
function definition(reader: Reader, at: number, stop: number): { term: string; text: string } | undefined {
  const { lines, syntax } = reader;
  const [first, second] = [lines[at]!, lines[at + 1] ?? ''];
  if (first.length > 120) return undefined;
  const rest = (from: number) =>
    lines
      .slice(from, stop)
      .map((line) => line.trim())
      .join('\n');
  if (syntax === 'markdown' && /^ {0,3}: +\S/.test(second))
    return { term: first.trim(), text: `\n${rest(at + 1).slice(1)}` };
  if (
    syntax === 'rst' &&
    stop > at + 1 &&
    indentOf(second) > indentOf(first) &&
    !/[.:,]$/.test(first.trimEnd())
  )
    return { term: first.trim(), text: `\n${rest(at + 1)}` };
  const labelled = syntax === 'asciidoc' ? first.indexOf(':: ') : -1;
  if (labelled > 0)
    return {
      term: first.slice(0, labelled).trim(),
      text: [first.slice(labelled + 3), rest(at + 1)].join('\n'),
    };
  return undefined;
}

function literal(
  lines: readonly string[],
  from: number,
  { end, indent }: { end: number; indent: number },
): number {
  let at = from;
  while (at < end && (lines[at]!.trim() === '' || indentOf(lines[at]!) > indent)) at += 1;
  return at - from;
}

export function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Keys of front matter with their values; the items of a list come under the key of the list. */
export function frontFields(text: string): { key: string; value: string; line: number }[] {
  const fields: { key: string; value: string; line: number }[] = [];
  let key = '';
  text.split('\n').forEach((raw, line) => {
    const item = /^ *- +(.+)$/.exec(raw)?.[1];
    const colon = raw.indexOf(':');
    if (item === undefined && colon > 0 && colon < 40 && !raw.startsWith(' '))
      key = raw.slice(0, colon).trim();
    const value = unquote((item ?? (raw.startsWith(' ') ? '' : raw.slice(colon + 1))).trim());
    if (key !== '' && value !== '' && value.length <= 200) fields.push({ key, value, line });
  });
  return fields;
}

function unquote(value: string): string {
  return value.replace(/^["'[]+/, '').replace(/["'\]]+$/, '');
}
