// One pass over the lines of a Markdown text that finds headings and code fences by CommonMark's block rules: containers
// (quotes, list items), fences, indented code, HTML blocks, paragraphs with lazy continuation. It builds no tree and
// reads no inline markup; docs/decisions/markdown.md says why it is not markdown-it, which is its oracle in the tests.

import type { LineIndex, LineRange } from '../../../domain/lines.ts';
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
  /** Fence lines included; an unclosed fence ends where its container or the text ends. */
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
const MAX_FRONT_MATTER_LINES = 2000;

/** 1 for a character that can begin a block other than a paragraph, or that needs a closer look. */
const SPECIAL = new Uint8Array(128);
for (const ch of ' \t\r\n#`~><{-+*_=0123456789') SPECIAL[ch.charCodeAt(0)] = 1;

const SPACE = 32;
const TAB = 9;

export function scanMarkdown(text: string, lines: LineIndex): MarkdownScan {
  const headings: ScannedHeading[] = [];
  const fences: LineRange[] = [];
  const stack: Container[] = [];
  let leaf = NONE;
  let paragraph: number[] = [];
  let paragraphLine = 0;
  let fenceLine = 0;
  let fenceChar = 0;
  let fenceLength = 0;
  let html: HtmlBlockKind = 6;

  // The line being read, and how far into it the containers reach.
  let lineNumber = 0;
  let lineEnd = 0;
  let pos = 0;
  let column = 0;
  let next = 0;
  let nextColumn = 0;

  const frontMatter = frontMatterOf(text, lines);

  function findNext(): void {
    next = pos;
    nextColumn = column;
    for (; next < lineEnd; next += 1) {
      const ch = text.charCodeAt(next);
      if (ch === SPACE) nextColumn += 1;
      else if (ch === TAB) nextColumn += 4 - (nextColumn % 4);
      else break;
    }
  }

  /** Moves so many columns on; a tab may be taken in part and then stays at `pos`. */
  function advance(columns: number): void {
    let left = columns;
    while (left > 0 && pos < lineEnd) {
      if (text.charCodeAt(pos) === TAB) {
        const width = 4 - (column % 4);
        if (width > left) {
          column += left;
          return;
        }
        column += width;
        left -= width;
      } else {
        column += 1;
        left -= 1;
      }
      pos += 1;
    }
  }

  function closeLeaf(lastLine: number): void {
    if (leaf === FENCE) fences.push({ start: fenceLine, end: lastLine });
    leaf = NONE;
  }

  function open(matched: number): void {
    closeLeaf(lineNumber - 1);
    stack.length = matched;
    const top = stack[matched - 1];
    if (top) top.filled = true;
  }

  function addHeading(level: number, line: number, raw: string): void {
    if (!stack.some((container) => container.quote))
      headings.push({ level, line, raw: raw.slice(0, MAX_HEADING) });
  }

  function matchContainers(): number {
    let matched = 0;
    for (; matched < stack.length; matched += 1) {
      const container = stack[matched]!;
      findNext();
      const indent = nextColumn - column;
      if (container.quote) {
        if (indent > 3 || text.charCodeAt(next) !== 62 || next >= lineEnd) break;
        takeQuoteMark();
      } else if (next >= lineEnd) {
        if (!container.filled) break;
        pos = next;
        column = nextColumn;
      } else if (indent >= container.indent) advance(container.indent);
      else break;
    }
    return matched;
  }

  function takeQuoteMark(): void {
    pos = next + 1;
    column = nextColumn + 1;
    const ch = text.charCodeAt(pos);
    if (pos < lineEnd && (ch === SPACE || ch === TAB)) advance(1);
  }

  /** Goes on with an open fence or HTML block; its containers all matched. */
  function continueLeaf(): void {
    findNext();
    if (leaf === FENCE) {
      if (nextColumn - column > 3) return;
      let at = next;
      while (at < lineEnd && text.charCodeAt(at) === fenceChar) at += 1;
      if (at - next >= fenceLength && isBlank(text, at, lineEnd)) closeLeaf(lineNumber);
    } else if (html === 6 || html === 7) {
      if (next >= lineEnd) leaf = NONE;
    } else if (htmlBlockEnds(html, text.slice(pos, lineEnd))) leaf = NONE;
  }

  /** Tries to begin a leaf block at `next`; true when the line is used up. */
  function startLeaf(matched: number, canUnderline: boolean): boolean {
    const ch = text.charCodeAt(next);
    if (ch === 35) {
      let at = next;
      while (at < lineEnd && text.charCodeAt(at) === 35) at += 1;
      const level = at - next;
      const after = text.charCodeAt(at);
      if (level > 6 || (at < lineEnd && after !== SPACE && after !== TAB)) return false;
      open(matched);
      addHeading(level, lineNumber, stripClosingMarks(text.slice(at, Math.min(lineEnd, at + MAX_HEADING))));
      return true;
    }
    if (ch === 96 || ch === 126) {
      let at = next;
      while (at < lineEnd && text.charCodeAt(at) === ch) at += 1;
      if (at - next < 3) return false;
      if (ch === 96) for (let i = at; i < lineEnd; i += 1) if (text.charCodeAt(i) === 96) return false;
      open(matched);
      leaf = FENCE;
      fenceChar = ch;
      fenceLength = at - next;
      fenceLine = lineNumber;
      return true;
    }
    if (ch === 60 || ch === 123) {
      const line = text.slice(next, lineEnd);
      // Kind 7 may not interrupt a paragraph, not even one that this line would lazily continue.
      const kind = htmlBlockStart(line, leaf === PARAGRAPH);
      if (kind === undefined) return false;
      open(matched);
      html = kind;
      leaf = htmlBlockEnds(kind, line) ? NONE : HTML;
      return true;
    }
    if ((ch === 61 || ch === 45) && canUnderline && isUnderline(text, next, lineEnd)) {
      const parts: string[] = [];
      for (let i = 0; i < paragraph.length; i += 2)
        parts.push(text.slice(paragraph[i], paragraph[i + 1]).trim());
      addHeading(ch === 61 ? 1 : 2, paragraphLine, parts.join(' '));
      leaf = NONE;
      return true;
    }
    if (isThematicBreak(text, next, lineEnd)) {
      open(matched);
      return true;
    }
    return false;
  }

  /** Takes a list marker at `next`, if there is one. */
  function startItem(matched: number, interruptsParagraph: boolean): boolean {
    const indent = nextColumn - column;
    const width = markerWidth(text, next, lineEnd);
    if (width === 0) return false;
    let at = next + width;
    const blank = isBlank(text, at, lineEnd);
    if (interruptsParagraph && (blank || (width > 1 && (width > 2 || text.charCodeAt(next) !== 49))))
      return false;
    open(matched);
    pos = at;
    column = nextColumn + width;
    let spaces = 0;
    let scanColumn = column;
    for (; at < lineEnd && spaces < 5; at += 1) {
      const ch = text.charCodeAt(at);
      if (ch === SPACE) scanColumn += 1;
      else if (ch === TAB) scanColumn += 4 - (scanColumn % 4);
      else break;
      spaces = scanColumn - column;
    }
    const padding = blank || spaces >= 5 || spaces < 1 ? width + 1 : width + spaces;
    advance(padding - width);
    stack.push({ quote: false, indent: indent + padding, filled: false });
    return true;
  }

  function readLine(): void {
    let matched = matchContainers();
    const allMatched = matched === stack.length;
    if (allMatched && (leaf === FENCE || leaf === HTML)) return continueLeaf();
    let opened = false;
    for (;;) {
      findNext();
      if (next >= lineEnd) break;
      if (nextColumn - column >= 4) {
        if (leaf === PARAGRAPH) break;
        open(matched);
        return;
      }
      const ch = text.charCodeAt(next);
      if (ch >= 128 || SPECIAL[ch] === 0) break;
      const inParagraph = allMatched && !opened && leaf === PARAGRAPH;
      if (ch === 62) {
        if (stack.length >= MAX_DEPTH && opened) break;
        open(matched);
        takeQuoteMark();
        stack.push({ quote: true, indent: 0, filled: false });
      } else if (startLeaf(matched, inParagraph)) return;
      else if (matched >= MAX_DEPTH || !startItem(matched, inParagraph)) break;
      matched = stack.length;
      opened = true;
    }
    if (next >= lineEnd) {
      if (leaf !== NONE || matched < stack.length) closeLeaf(lineNumber - 1);
      stack.length = matched;
      return;
    }
    if (leaf !== PARAGRAPH) {
      open(matched);
      leaf = PARAGRAPH;
      paragraph = [];
      paragraphLine = lineNumber;
    }
    paragraph.push(next, lineEnd);
  }

  for (let i = frontMatter?.end ?? 0; i < lines.count; i += 1) {
    const start = lines.starts[i]!;
    lineNumber = i + 1;
    lineEnd = i + 1 < lines.count ? lines.starts[i + 1]! - 1 : endOfText(text);
    if (lineEnd > start && text.charCodeAt(lineEnd - 1) === 13) lineEnd -= 1;
    // Most lines are plain text of a paragraph outside any container.
    if (stack.length === 0 && leaf === PARAGRAPH && lineEnd > start) {
      const ch = text.charCodeAt(start);
      if (ch >= 128 || SPECIAL[ch] === 0) {
        paragraph.push(start, lineEnd);
        continue;
      }
    }
    pos = start;
    column = 0;
    readLine();
  }
  closeLeaf(lines.count);
  return { headings, fences, ...(frontMatter ? { frontMatter } : {}) };
}

/** YAML (`---`) or TOML (`+++`) before everything else; without a closing line there is none. */
export function frontMatterOf(text: string, lines: LineIndex): LineRange | undefined {
  const mark = text.startsWith('---') ? '---' : text.startsWith('+++') ? '+++' : undefined;
  if (!mark || lineText(text, lines, 1).trimEnd() !== mark) return undefined;
  const last = Math.min(lines.count, MAX_FRONT_MATTER_LINES);
  for (let line = 2; line <= last; line += 1) {
    const at = lines.starts[line - 1]!;
    if (!text.startsWith(mark, at) && !text.startsWith('...', at)) continue;
    const content = lineText(text, lines, line).trimEnd();
    if (content === mark || (mark === '---' && content === '...')) return { start: 1, end: line };
  }
  return undefined;
}

function lineText(text: string, lines: LineIndex, line: number): string {
  return text.slice(
    lines.starts[line - 1],
    Math.min(lines.starts[line] ?? text.length, lines.starts[line - 1]! + 200),
  );
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
