// reStructuredText, kept as written. A heading is a line with an underline (and perhaps an overline) of one punctuation
// character; the order in which styles first appear gives their levels. A term of a glossary is a heading below them: it is
// asked for by its name.

import { headingReader, type Reader } from '../reader.ts';

const ADORNMENT = /^([!-/:-@[-`{-~])\1+\s*$/;
const MAX_LEVELS = 9;
const GLOSSARY = /^(\s*)\.\. glossary::/;

export const readRst: Reader = headingReader(rstHeadings);

interface RstHeading {
  level: number;
  text: string;
  line: number;
}

function rstHeadings(text: string): RstHeading[] {
  const lines = text.split(/\r?\n/);
  const styles: string[] = [];
  const headings: RstHeading[] = [];
  let section = 0;
  for (let at = 0; at + 1 < lines.length; at += 1) {
    const title = lines[at]!;
    const glossary = GLOSSARY.exec(title)?.[1]?.length;
    if (glossary !== undefined) {
      const { terms, end } = glossaryTerms(lines, at + 1, glossary);
      for (const term of terms) headings.push({ ...term, level: section + 1 });
      at = end - 1;
      continue;
    }
    const underline = lines[at + 1]!;
    const mark = ADORNMENT.exec(underline)?.[1];
    if (mark === undefined || title.trim() === '' || title.length > 500 || ADORNMENT.test(title)) continue;
    const over = at > 0 && lines[at - 1]!.trimEnd() === underline.trimEnd();
    const before = lines[at - (over ? 2 : 1)];
    const wide = underline.trimEnd().length >= Math.min(title.trimEnd().length, 4);
    // Indented lines are quotes or code, and a heading stands after a blank line.
    if (!wide || (!over && /^\s/.test(title)) || (before !== undefined && before.trim() !== '')) continue;
    const style = over ? mark + mark : mark;
    if (!styles.includes(style)) {
      if (styles.length >= MAX_LEVELS) continue;
      styles.push(style);
    }
    section = styles.indexOf(style) + 1;
    headings.push({ level: section, text: display(title), line: over ? at : at + 1 });
    at += 1;
  }
  return headings;
}

/**
 * The terms of a glossary whose entries begin at a line, up to the next line that is indented no further than the glossary:
 * each stands where the first one does, after an empty line, and is explained below it, further in. Of several terms with
 * one explanation the first.
 */
function glossaryTerms(
  lines: readonly string[],
  from: number,
  margin: number,
): { terms: Omit<RstHeading, 'level'>[]; end: number } {
  const terms: Omit<RstHeading, 'level'>[] = [];
  let column: number | undefined;
  let after = true;
  let at = from;
  for (; at < lines.length; at += 1) {
    const line = lines[at]!;
    const indent = line.search(/\S/);
    if (indent >= 0 && indent <= margin) break;
    if (indent > 0 && !/^\s*(?::[\w-]+:|\.\. )/.test(line)) {
      column ??= indent;
      const text = display(line.split(' : ', 1)[0]!).slice(0, 500);
      if (indent === column && after) terms.push({ text, line: at + 1 });
    }
    after = indent < 0;
  }
  return { terms, end: at };
}

/** Roles and inline marks removed: ``:func:`open` `` reads `open`. */
function display(title: string): string {
  return title
    .trim()
    .replaceAll(/:[\w:+-]{1,40}:`([^`<]{1,200})(?: <[^`>]{1,200}>)?`/g, '$1')
    .replaceAll(/`([^`<]{1,200})(?: <[^`>]{1,200}>)?`__?/g, '$1')
    .replaceAll(/``?([^`]{1,200})``?/g, '$1')
    .replaceAll(/\*\*?([^*]{1,200})\*\*?/g, '$1');
}
