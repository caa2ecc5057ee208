// reStructuredText, kept as written. A heading is a line with an underline (and perhaps an overline) of one punctuation
// character; the order in which styles first appear gives their levels.

import { headingReader, type Reader } from '../reader.ts';

const ADORNMENT = /^([!-/:-@[-`{-~])\1+\s*$/;
const MAX_LEVELS = 9;

export const readRst: Reader = headingReader(rstHeadings);

function rstHeadings(text: string): { level: number; text: string; line: number }[] {
  const lines = text.split(/\r?\n/);
  const styles: string[] = [];
  const headings: { level: number; text: string; line: number }[] = [];
  for (let at = 0; at + 1 < lines.length; at += 1) {
    const title = lines[at]!;
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
    headings.push({ level: styles.indexOf(style) + 1, text: display(title), line: over ? at : at + 1 });
    at += 1;
  }
  return headings;
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
