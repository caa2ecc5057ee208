// AsciiDoc, kept as written: `= Title` and `== Section` lines are headings, except inside delimited blocks.

import { withoutTrailing } from '../../../domain/text.ts';
import { headingReader, type Reader } from '../reader.ts';

const DELIMITER = /^(-{4,}|\.{4,}|\+{4,}|\/{4,}|`{3,})\s*$/;

export const readAsciidoc: Reader = headingReader(asciidocHeadings);

function asciidocHeadings(text: string): { level: number; text: string; line: number }[] {
  const headings: { level: number; text: string; line: number }[] = [];
  let inside: string | undefined;
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    const delimiter = line.length < 200 ? DELIMITER.exec(line)?.[1] : undefined;
    if (inside !== undefined) {
      if (delimiter === inside) inside = undefined;
      continue;
    }
    if (delimiter !== undefined) {
      inside = delimiter;
      continue;
    }
    const match = /^(={1,6})[ \t]+(\S.{0,500})/.exec(line);
    if (match) headings.push({ level: match[1]!.length, text: display(match[2]!), line: at + 1 });
  }
  return headings;
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
