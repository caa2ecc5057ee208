// One pass over the lines of a Markdown text that finds headings and code fences by CommonMark's block rules: containers
// (quotes, list items), fences, indented code, HTML blocks, paragraphs with lazy continuation. It builds no tree and
// reads no inline markup; docs/decisions/markdown.md says why it is not markdown-it, which is its oracle in the tests.

import type { LineIndex, LineRange } from '../../../domain/lines.ts';
import { frontMatterOf } from './front-matter.ts';
import { htmlBlockEnds, htmlBlockStart, type HtmlBlockKind } from './html-block.ts';

export interface ScannedHeading {
  level: number;
  /** First line; a setext heading may have several, and its underline follows. */
  line: number;
  /** Content as written, without the marks. */
  raw: string;
}

export interface MarkdownScan {
  headings: ScannedHeading[];
  /** Fence lines included; an unclosed one ends where its container or the text ends, unless it was left open by mistake. */
  fences: LineRange[];
  frontMatter?: LineRange;
}

interface Container {
  quote: boolean;
  /** Columns that a following line of a list item must be indented by. */
  indent: number;
  filled: boolean;
}

const NONE = 0;
const PARAGRAPH = 1;
const FENCE = 2;
const HTML = 3;

const MAX_DEPTH = 100;
const MAX_HEADING = 2000;
/** As many lines as a block of code may have whose end was cut off; more were not meant to be code. */
const MAX_UNCLOSED = 200;

/** 1 for a character that can begin a block other than a paragraph, or that needs a closer look. */
const SPECIAL = new Uint8Array(128);
for (const ch of ' \t\r\n#`~><{-+*_=0123456789') SPECIAL[ch.charCodeAt(0)] = 1;

const SPACE = 32;
const TAB = 9;

export function scanMarkdown(text: string, lines: LineIndex): MarkdownScan {
  const scanner = new Scanner(text, lines);
  return scanner.scan();
}

/** A class, not closures: functions made anew for every text would be compiled anew as well. */
class Scanner {
  readonly text: string;
  readonly lines: LineIndex;
  readonly headings: ScannedHeading[] = [];
  readonly fences: LineRange[] = [];
  readonly stack: Container[] = [];
  leaf = NONE;
  paragraph: number[] = [];
  paragraphLine = 0;
  fenceLine = 0;
  fenceChar = 0;
  fenceLength = 0;
  /** By its character, the shortest fence found to be never closed. */
  readonly unclosed = new Map<number, number>();
  html: HtmlBlockKind = 6;

  // The line being read, and how far into it the containers reach.
  lineNumber = 0;
  lineEnd = 0;
  pos = 0;
  column = 0;
  next = 0;
  nextColumn = 0;

  constructor(text: string, lines: LineIndex) {
    this.text = text;
    this.lines = lines;
  }

  scan(): MarkdownScan {
    const frontMatter = frontMatterOf(this.text, this.lines);
    let from: number | undefined = frontMatter?.end ?? 0;
    while (from !== undefined) {
      this.readLines(from);
      from = this.afterForgottenFence();
    }
    this.closeLeaf(this.lines.count);
    return { headings: this.headings, fences: this.fences, ...(frontMatter ? { frontMatter } : {}) };
  }

  /**
   * A fence that nothing closes and that would take a long rest of the text with it was left open by mistake, as by one
   * page of many in an llms-full.txt: its line is text, and the lines after it are read again, once for each character.
   */
  afterForgottenFence(): number | undefined {
    const rest = this.lines.count - this.fenceLine;
    if (this.leaf !== FENCE || this.stack.length > 0 || rest <= MAX_UNCLOSED) return undefined;
    if (this.unclosed.has(this.fenceChar)) return undefined;
    this.unclosed.set(this.fenceChar, this.fenceLength);
    this.leaf = NONE;
    return this.fenceLine;
  }

  readLines(from: number): void {
    const { text, lines } = this;
    for (let i = from; i < lines.count; i += 1) {
      const start = lines.starts[i]!;
      this.lineNumber = i + 1;
      this.lineEnd = i + 1 < lines.count ? lines.starts[i + 1]! - 1 : endOfText(text);
      if (this.lineEnd > start && text.charCodeAt(this.lineEnd - 1) === 13) this.lineEnd -= 1;
      // Most lines are plain text of a paragraph outside any container.
      if (this.stack.length === 0 && this.leaf === PARAGRAPH && this.lineEnd > start) {
        const ch = text.charCodeAt(start);
        if (ch >= 128 || SPECIAL[ch] === 0) {
          this.paragraph.push(start, this.lineEnd);
          continue;
        }
      }
      this.pos = start;
      this.column = 0;
      this.readLine();
    }
  }

  findNext(): void {
    this.next = this.pos;
    this.nextColumn = this.column;
    for (; this.next < this.lineEnd; this.next += 1) {
      const ch = this.text.charCodeAt(this.next);
      if (ch === SPACE) this.nextColumn += 1;
      else if (ch === TAB) this.nextColumn += 4 - (this.nextColumn % 4);
      else break;
    }
  }

  /** Moves so many columns on; a tab may be taken in part and then stays at `pos`. */
  advance(columns: number): void {
    let left = columns;
    while (left > 0 && this.pos < this.lineEnd) {
      if (this.text.charCodeAt(this.pos) === TAB) {
        const width = 4 - (this.column % 4);
        if (width > left) {
          this.column += left;
          return;
        }
        this.column += width;
        left -= width;
      } else {
        this.column += 1;
        left -= 1;
      }
      this.pos += 1;
    }
  }

  closeLeaf(lastLine: number): void {
    if (this.leaf === FENCE) this.fences.push({ start: this.fenceLine, end: lastLine });
    this.leaf = NONE;
  }

  open(matched: number): void {
    this.closeLeaf(this.lineNumber - 1);
    this.stack.length = matched;
    const top = this.stack[matched - 1];
    if (top) top.filled = true;
  }

  addHeading(level: number, line: number, raw: string): void {
    if (!this.stack.some((container) => container.quote))
      this.headings.push({ level, line, raw: raw.slice(0, MAX_HEADING) });
  }

  matchContainers(): number {
    let matched = 0;
    for (; matched < this.stack.length; matched += 1) {
      const container = this.stack[matched]!;
      this.findNext();
      const indent = this.nextColumn - this.column;
      if (container.quote) {
        if (indent > 3 || this.text.charCodeAt(this.next) !== 62 || this.next >= this.lineEnd) break;
        this.takeQuoteMark();
      } else if (this.next >= this.lineEnd) {
        if (!container.filled) break;
        this.pos = this.next;
        this.column = this.nextColumn;
      } else if (indent >= container.indent) this.advance(container.indent);
      else break;
    }
    return matched;
  }

  takeQuoteMark(): void {
    this.pos = this.next + 1;
    this.column = this.nextColumn + 1;
    const ch = this.text.charCodeAt(this.pos);
    if (this.pos < this.lineEnd && (ch === SPACE || ch === TAB)) this.advance(1);
  }

  /** Goes on with an open fence or HTML block; its containers all matched. */
  continueLeaf(): void {
    this.findNext();
    if (this.leaf === FENCE) {
      if (this.nextColumn - this.column > 3) return;
      let at = this.next;
      while (at < this.lineEnd && this.text.charCodeAt(at) === this.fenceChar) at += 1;
      if (at - this.next >= this.fenceLength && isBlank(this.text, at, this.lineEnd))
        this.closeLeaf(this.lineNumber);
    } else if (this.html === 6 || this.html === 7) {
      if (this.next >= this.lineEnd) this.leaf = NONE;
    } else if (htmlBlockEnds(this.html, this.text.slice(this.pos, this.lineEnd))) this.leaf = NONE;
  }

  /** Tries to begin a leaf block at `next`; true when the line is used up. */
  startLeaf(matched: number, canUnderline: boolean): boolean {
    const ch = this.text.charCodeAt(this.next);
    if (ch === 35) {
      let at = this.next;
      while (at < this.lineEnd && this.text.charCodeAt(at) === 35) at += 1;
      const level = at - this.next;
      const after = this.text.charCodeAt(at);
      if (level > 6 || (at < this.lineEnd && after !== SPACE && after !== TAB)) return false;
      this.open(matched);
      this.addHeading(
        level,
        this.lineNumber,
        stripClosingMarks(this.text.slice(at, Math.min(this.lineEnd, at + MAX_HEADING))),
      );
      return true;
    }
    if (ch === 96 || ch === 126) {
      let at = this.next;
      while (at < this.lineEnd && this.text.charCodeAt(at) === ch) at += 1;
      if (at - this.next < 3) return false;
      if (matched === 0 && at - this.next >= (this.unclosed.get(ch) ?? Infinity)) return false;
      if (ch === 96)
        for (let i = at; i < this.lineEnd; i += 1) if (this.text.charCodeAt(i) === 96) return false;
      this.open(matched);
      this.leaf = FENCE;
      this.fenceChar = ch;
      this.fenceLength = at - this.next;
      this.fenceLine = this.lineNumber;
      return true;
    }
    if (ch === 60 || ch === 123) {
      const line = this.text.slice(this.next, this.lineEnd);
      // Kind 7 may not interrupt a paragraph, not even one that this line would lazily continue.
      const kind = htmlBlockStart(line, this.leaf === PARAGRAPH);
      if (kind === undefined) return false;
      this.open(matched);
      this.html = kind;
      this.leaf = htmlBlockEnds(kind, line) ? NONE : HTML;
      return true;
    }
    if ((ch === 61 || ch === 45) && canUnderline && isUnderline(this.text, this.next, this.lineEnd)) {
      const parts: string[] = [];
      for (let i = 0; i < this.paragraph.length; i += 2)
        parts.push(this.text.slice(this.paragraph[i], this.paragraph[i + 1]).trim());
      this.addHeading(ch === 61 ? 1 : 2, this.paragraphLine, parts.join(' '));
      this.leaf = NONE;
      return true;
    }
    if (isThematicBreak(this.text, this.next, this.lineEnd)) {
      this.open(matched);
      return true;
    }
    return false;
  }

  /** Takes a list marker at `next`, if there is one. */
  startItem(matched: number, interruptsParagraph: boolean): boolean {
    const indent = this.nextColumn - this.column;
    const width = markerWidth(this.text, this.next, this.lineEnd);
    if (width === 0) return false;
    let at = this.next + width;
    const blank = isBlank(this.text, at, this.lineEnd);
    if (
      interruptsParagraph &&
      (blank || (width > 1 && (width > 2 || this.text.charCodeAt(this.next) !== 49)))
    )
      return false;
    this.open(matched);
    this.pos = at;
    this.column = this.nextColumn + width;
    let spaces = 0;
    let scanColumn = this.column;
    for (; at < this.lineEnd && spaces < 5; at += 1) {
      const ch = this.text.charCodeAt(at);
      if (ch === SPACE) scanColumn += 1;
      else if (ch === TAB) scanColumn += 4 - (scanColumn % 4);
      else break;
      spaces = scanColumn - this.column;
    }
    const padding = blank || spaces >= 5 || spaces < 1 ? width + 1 : width + spaces;
    this.advance(padding - width);
    this.stack.push({ quote: false, indent: indent + padding, filled: false });
    return true;
  }

  readLine(): void {
    let matched = this.matchContainers();
    const allMatched = matched === this.stack.length;
    if (allMatched && (this.leaf === FENCE || this.leaf === HTML)) return this.continueLeaf();
    let opened = false;
    for (;;) {
      this.findNext();
      if (this.next >= this.lineEnd) break;
      if (this.nextColumn - this.column >= 4) {
        if (this.leaf === PARAGRAPH) break;
        this.open(matched);
        return;
      }
      const ch = this.text.charCodeAt(this.next);
      if (ch >= 128 || SPECIAL[ch] === 0) break;
      const inParagraph = allMatched && !opened && this.leaf === PARAGRAPH;
      if (ch === 62) {
        if (this.stack.length >= MAX_DEPTH && opened) break;
        this.open(matched);
        this.takeQuoteMark();
        this.stack.push({ quote: true, indent: 0, filled: false });
      } else if (this.startLeaf(matched, inParagraph)) return;
      else if (matched >= MAX_DEPTH || !this.startItem(matched, inParagraph)) break;
      matched = this.stack.length;
      opened = true;
    }
    if (this.next >= this.lineEnd) {
      if (this.leaf !== NONE || matched < this.stack.length) this.closeLeaf(this.lineNumber - 1);
      this.stack.length = matched;
      return;
    }
    if (this.leaf !== PARAGRAPH) {
      this.open(matched);
      this.leaf = PARAGRAPH;
      this.paragraph = [];
      this.paragraphLine = this.lineNumber;
    }
    this.paragraph.push(this.next, this.lineEnd);
  }
}

function endOfText(text: string): number {
  return text.endsWith('\n') ? text.length - 1 : text.length;
}

function isBlank(text: string, from: number, end: number): boolean {
  for (let i = from; i < end; i += 1) {
    const ch = text.charCodeAt(i);
    if (ch !== SPACE && ch !== TAB) return false;
  }
  return true;
}

function isUnderline(text: string, from: number, end: number): boolean {
  const mark = text.charCodeAt(from);
  let at = from;
  while (at < end && text.charCodeAt(at) === mark) at += 1;
  return isBlank(text, at, end);
}

function isThematicBreak(text: string, from: number, end: number): boolean {
  const mark = text.charCodeAt(from);
  if (mark !== 42 && mark !== 45 && mark !== 95) return false;
  let count = 0;
  for (let i = from; i < end; i += 1) {
    const ch = text.charCodeAt(i);
    if (ch === mark) count += 1;
    else if (ch !== SPACE && ch !== TAB) return false;
  }
  return count >= 3;
}

/** Characters of a list marker (`-`, `12.`), 0 when there is none. */
function markerWidth(text: string, from: number, end: number): number {
  let at = from;
  const ch = text.charCodeAt(at);
  if (ch === 42 || ch === 43 || ch === 45) at += 1;
  else {
    while (at < end && at - from < 9 && text.charCodeAt(at) >= 48 && text.charCodeAt(at) <= 57) at += 1;
    if (at === from || at >= end) return 0;
    const close = text.charCodeAt(at);
    if (close !== 46 && close !== 41) return 0;
    at += 1;
  }
  if (at < end && text.charCodeAt(at) !== SPACE && text.charCodeAt(at) !== TAB) return 0;
  return at - from;
}

function stripClosingMarks(content: string): string {
  let end = content.trimEnd().length;
  let at = end;
  while (at > 0 && content.charCodeAt(at - 1) === 35) at -= 1;
  if (at < end && (at === 0 || content.charCodeAt(at - 1) === SPACE || content.charCodeAt(at - 1) === TAB))
    end = at;
  return content.slice(0, end).trim();
}
