// Plain text from marked-up text, and what was marked: links, code, stressed words. The words of a sentence are read from
// the plain text; the marks tell which of them the author set apart. One pass, every search bounded.

import type { Syntax } from './blocks.ts';

export type MarkKind = 'link' | 'code' | 'strong' | 'em';

export interface Mark {
  kind: MarkKind;
  start: number;
  end: number;
}

export interface Inline {
  text: string;
  marks: Mark[];
  /** Where a new line of the source begins in the text. */
  breaks: number[];
}

const MAX_LABEL = 300;
const MAX_TARGET = 1000;
const MAX_CODE = 200;

interface Scan {
  source: string;
  syntax: Syntax;
  at: number;
  out: string;
  marks: Mark[];
  breaks: number[];
  open: Partial<Record<MarkKind, number>>;
  /** Labels of links under way: where each ends, and where reading goes on behind its target. */
  labels: { end: number; resume: number }[];
}

/** Characters that `step` only copies. */
const PLAIN = /(?:[^\n\\`[!*_<{&:h]|h(?!ttps?:\/\/))+/y;
const PLAIN_ASCIIDOC = /(?:[^\n\\`[!*_<{&:hxl]|h(?!ttps?:\/\/))+/y;

export function inlineOf(source: string, syntax: Syntax): Inline {
  const scan: Scan = { source, syntax, at: 0, out: '', marks: [], breaks: [], open: {}, labels: [] };
  while (scan.at < source.length) {
    const label = scan.labels.at(-1);
    if (label && scan.at >= label.end) {
      scan.labels.pop();
      close(scan, 'link');
      scan.at = label.resume;
      continue;
    }
    const plain = syntax === 'asciidoc' ? PLAIN_ASCIIDOC : PLAIN;
    plain.lastIndex = scan.at;
    if (plain.test(source)) {
      const end = Math.min(plain.lastIndex, label?.end ?? source.length);
      scan.out += source.slice(scan.at, end);
      scan.at = end;
    } else step(scan);
  }
  return { text: scan.out, marks: scan.marks, breaks: scan.breaks };
}

function step(scan: Scan): void {
  const { source, at } = scan;
  const one = source[at]!;
  switch (one) {
    case '\n':
      scan.out += ' ';
      scan.breaks.push(scan.out.length);
      scan.at += 1;
      return;
    case '\\':
      scan.out += source[at + 1] === '\n' ? '' : (source[at + 1] ?? '');
      scan.at += source[at + 1] === '\n' ? 1 : 2;
      return;
    case '`':
      return code(scan);
    case '[':
      return link(scan);
    case '!':
      if (source[at + 1] === '[') return image(scan);
      break;
    case '*':
    case '_':
      return emphasis(scan, one);
    case '<':
      return tag(scan);
    case '{':
      if (source[at + 1] === '{') return shortcode(scan);
      break;
    case '&':
      return entity(scan);
    case ':':
      if (role(scan)) return;
      break;
    case 'h':
      if (/^https?:\/\//.test(source.slice(at, at + 8))) return address(scan);
      break;
    case 'x':
    case 'l':
      if (scan.syntax === 'asciidoc' && macro(scan)) return;
      break;
  }
  scan.out += one;
  scan.at += 1;
}

function begin(scan: Scan, kind: MarkKind): void {
  scan.open[kind] ??= scan.out.length;
}

function close(scan: Scan, kind: MarkKind): void {
  const start = scan.open[kind];
  if (start === undefined) return;
  delete scan.open[kind];
  if (start < scan.out.length) scan.marks.push({ kind, start, end: scan.out.length });
}

function emit(scan: Scan, kind: MarkKind, text: string): void {
  const start = scan.out.length;
  scan.out += text.replaceAll('\n', ' ');
  if (text !== '') scan.marks.push({ kind, start, end: scan.out.length });
}

/** Code between runs of backticks; in reStructuredText a single one stands around a reference. */
function code(scan: Scan): void {
  const { source, at } = scan;
  let run = 1;
  while (source[at + run] === '`') run += 1;
  const stop = source.slice(0, at + run + MAX_CODE + run).indexOf('`'.repeat(run), at + run);
  if (stop === -1) {
    scan.at += run;
    return;
  }
  const text = source.slice(at + run, stop).trim();
  scan.at = stop + run;
  if (scan.syntax === 'rst' && run === 1) {
    while (source[scan.at] === '_') scan.at += 1;
    emit(scan, 'link', shownReference(text));
    return;
  }
  emit(scan, 'code', text);
}

/** `text <target>`, `~module.Name`, `/path/of/page`: what a reader sees of it. */
function shownReference(text: string): string {
  const target = text.lastIndexOf(' <');
  if (target > 0 && text.endsWith('>')) return text.slice(0, target).trim();
  if (text.startsWith('~')) return text.slice(text.lastIndexOf('.') + 1);
  const last = text.slice(text.lastIndexOf('/') + 1);
  return text.includes('/') && !text.includes(' ') ? last : text;
}

/** `:doc:` and its like before a reference. */
function role(scan: Scan): boolean {
  if (scan.syntax !== 'rst') return false;
  const found = /^:[a-z][a-z:+-]{0,30}:(?=`)/.exec(scan.source.slice(scan.at, scan.at + 34));
  if (found) scan.at += found[0].length;
  return found !== null;
}

function link(scan: Scan): void {
  const { source, at } = scan;
  const end = closing(source, at, MAX_LABEL);
  if (end === -1) {
    scan.out += source[at]!;
    scan.at = at + 1;
    return;
  }
  const next = source[end + 1];
  const stop =
    next === '('
      ? closing(source, end + 1, MAX_TARGET)
      : next === '['
        ? closing(source, end + 1, MAX_LABEL)
        : -1;
  const inner = source.slice(at + 1, end);
  // `[ ]` of a task list, `[1]` of a footnote.
  if (stop === -1 && /^(?:[ xX]|\^?\d{1,3})$/.test(inner)) {
    scan.at = end + 1;
    return;
  }
  scan.at = at + 1;
  // `[Name]` alone is a link whose address stands elsewhere; other brackets mean nothing here.
  const isLink = stop !== -1 || (next !== ':' && /^[\p{L}\p{N}`*_][^[\]{}<>=|]{1,60}$/u.test(inner));
  if (!isLink || scan.open.link !== undefined) return;
  begin(scan, 'link');
  scan.labels.push({ end, resume: (stop === -1 ? end : stop) + 1 });
}

function image(scan: Scan): void {
  const { source, at } = scan;
  const end = closing(source, at + 1, MAX_LABEL);
  const stop = end === -1 || source[end + 1] !== '(' ? end : closing(source, end + 1, MAX_TARGET);
  scan.at = stop === -1 ? at + 2 : stop + 1;
}

/** Where the bracket at a place closes. */
function closing(source: string, at: number, limit: number): number {
  const open = source[at]!;
  const shut = open === '[' ? ']' : ')';
  let depth = 0;
  const end = Math.min(source.length, at + limit);
  for (let index = at; index < end; index++) {
    const one = source[index]!;
    if (one === '\\') index += 1;
    else if (one === open) depth += 1;
    else if (one === shut && --depth === 0) return index;
  }
  return -1;
}

const WORD = /[\p{L}\p{N}]/u;

function emphasis(scan: Scan, mark: string): void {
  const { source, at } = scan;
  let run = 1;
  while (source[at + run] === mark && run < 4) run += 1;
  const before = source[at - 1] ?? ' ';
  const after = source[at + run] ?? ' ';
  // `snake_case` and `2 * 3` are not emphasis.
  if ((mark === '_' && WORD.test(before) && WORD.test(after)) || (before === ' ' && after === ' ')) {
    scan.out += mark.repeat(run);
    scan.at += run;
    return;
  }
  const opens = !/\s/.test(after) && (scan.open.strong === undefined || run === 1);
  for (const kind of run === 1
    ? (['em'] as const)
    : run === 2
      ? (['strong'] as const)
      : (['strong', 'em'] as const)) {
    const stressed = scan.syntax === 'asciidoc' && mark === '*' ? 'strong' : kind;
    if (scan.open[stressed] !== undefined) close(scan, stressed);
    else if (opens) begin(scan, stressed);
  }
  scan.at += run;
}

const TAGS: Record<string, MarkKind | undefined> = {
  code: 'code',
  strong: 'strong',
  b: 'strong',
  em: 'em',
  i: 'em',
  a: 'link',
};

function tag(scan: Scan): void {
  const { source, at } = scan;
  const stop = source.slice(0, at + 500).indexOf('>', at);
  const found =
    stop === -1 ? null : /^<(\/?)([A-Za-z][\w.-]*)/.exec(source.slice(at, Math.min(stop, at + 60)));
  if (!found) {
    if (scan.syntax === 'asciidoc' && source.startsWith('<<', at)) return crossReference(scan);
    scan.out += '<';
    scan.at += 1;
    return;
  }
  scan.at = stop + 1;
  const name = found[2]!.toLowerCase();
  if (name === 'br' || name === 'p' || name === 'li') scan.out += ' ';
  const kind = TAGS[name];
  if (kind === undefined) return;
  if (found[1] === '') begin(scan, kind);
  else close(scan, kind);
}

/** `<<id,text>>` */
function crossReference(scan: Scan): void {
  const { source, at } = scan;
  const stop = source.slice(0, at + MAX_LABEL).indexOf('>>', at);
  scan.at = stop === -1 ? at + 2 : stop + 2;
  const comma = stop === -1 ? -1 : source.indexOf(',', at);
  if (comma !== -1 && comma < stop) emit(scan, 'link', source.slice(comma + 1, stop).trim());
}

/** `xref:page[text]` and `link:address[text]` */
function macro(scan: Scan): boolean {
  const { source, at } = scan;
  const found = /^(?:xref|link):[^\s[\]]{1,300}\[([^\]]{0,200})\]/.exec(source.slice(at, at + 520));
  if (!found) return false;
  emit(scan, 'link', found[1]!);
  scan.at += found[0].length;
  return true;
}

/** A tag of a site generator: the text it names is a link to what explains it. */
function shortcode(scan: Scan): void {
  const { source, at } = scan;
  const stop = source.slice(0, at + 400).indexOf('}}', at);
  if (stop === -1) {
    scan.at += 2;
    return;
  }
  const inner = source.slice(at, stop);
  const shown =
    /\btext="([^"]{1,80})"/.exec(inner)?.[1] ??
    /\bterm_id="([^"]{1,80})"/.exec(inner)?.[1]?.replaceAll('-', ' ');
  if (shown !== undefined) emit(scan, 'link', shown);
  scan.at = stop + 2;
}

const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
};

function entity(scan: Scan): void {
  const found = /^&(?:([a-z]{2,6})|#(\d{2,5}));?/.exec(scan.source.slice(scan.at, scan.at + 9));
  const known = found?.[1] === undefined ? undefined : ENTITIES[found[1]];
  const text = found?.[2] === undefined ? known : String.fromCharCode(Number(found[2]));
  if (found === null || text === undefined) {
    scan.out += '&';
    scan.at += 1;
    return;
  }
  scan.out += text;
  scan.at += found[0].length;
}

/** An address says nothing in a sentence. */
function address(scan: Scan): void {
  const { source } = scan;
  let end = scan.at;
  while (end < source.length && !/[\s<>"')\]]/.test(source[end]!)) end += 1;
  while (end > scan.at && /[.,;:!?]/.test(source[end - 1]!)) end -= 1;
  scan.at = end;
}
