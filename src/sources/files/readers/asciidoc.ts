// AsciiDoc, kept as written. Headings are `== Section` lines and two-line titles (a line underlined with `-----`), except
// inside delimited blocks.

import { withoutTrailing } from '../../../domain/text.ts';
import { headingReader, type Reader } from '../reader.ts';

type Heading = { level: number; text: string; line: number };

const DELIMITER = /^(-{4,}|\.{4,}|\+{4,}|\/{4,}|`{3,})\s*$/;

/** The underline of a two-line title tells its level. */
const UNDERLINES = '=-~^+';

export const readAsciidoc: Reader = headingReader(asciidocHeadings);

function asciidocHeadings(text: string): Heading[] {
  const headings: Heading[] = [];
  const lines = text.split(/\r?\n/);
  let insideBlock: string | undefined;
  let startsBlock = true;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    const delimiter = line.length < 200 ? DELIMITER.exec(line)?.[1] : undefined;
    if (insideBlock !== undefined) {
      if (delimiter === insideBlock) insideBlock = undefined;
      continue;
    }
    if (delimiter !== undefined) {
      insideBlock = delimiter;
      startsBlock = true;
      continue;
    }
    const marked = /^(={1,6})[ \t]+(\S.{0,500})/.exec(line);
    const level = marked ? marked[1]!.length : startsBlock ? underlinedLevel(line, lines[at + 1]) : undefined;
    if (level === undefined) {
      startsBlock = isBetweenBlocks(line);
      continue;
    }
    headings.push({ level, text: display(marked ? marked[2]! : line), line: at + 1 });
    startsBlock = true;
    if (!marked) at++;
  }
  return headings;
}

/** As Asciidoctor has it: one sign repeated, at most one longer or shorter than the title. */
function underlinedLevel(title: string, underline = ''): number | undefined {
  const shown = title.trimEnd();
  const drawn = underline.trimEnd();
  if (shown.length > 200 || Math.abs(shown.length - drawn.length) > 1) return undefined;
  const level = UNDERLINES.indexOf(drawn[0] ?? ' ') + 1;
  if (level === 0 || drawn !== drawn[0]!.repeat(drawn.length)) return undefined;
  return /\p{L}|\p{N}/u.test(shown) && !isBetweenBlocks(shown) ? level : undefined;
}

/** Blank lines, comments, attributes, anchors and block titles: what may stand before a title and is none. */
function isBetweenBlocks(line: string): boolean {
  return /^(?:\s*$|\/\/|:[^:\s]|\[.{0,200}\]\s*$|\.[^\s.])/.test(line);
}

/** `== Title ==` reads `Title`. */
function withoutClosingMarks(title: string): string {
  const marked = withoutTrailing(title.trimEnd(), '=');
  const bare = marked.trimEnd();
  return bare === marked ? title : bare;
}

function display(title: string): string {
  return withoutClosingMarks(title)
    .replaceAll(/\[\[[^\]]{0,100}\]\]/g, '')
    .replaceAll(/(?:link:|https?:)[^\s[]{0,300}\[([^\]]{0,200})\]/g, '$1')
    .replaceAll(/[`*]([^`*]{1,200})[`*]/g, '$1')
    .trim();
}
