// reStructuredText, kept as written. A heading is a line with an underline (and perhaps an overline) of one punctuation
// character; the order in which styles first appear gives their levels. A term of a glossary is a heading below them, and so
// is what a directive describes (`.. py:data:: TIMEOUT`): they are asked for by their names.

import { headingReader, type Reader } from '../reader.ts';

const ADORNMENT = /^([!-/:-@[-`{-~])\1+\s*$/;
const MAX_LEVELS = 9;
const GLOSSARY = /^(\s*)\.\. glossary::/;
const DIRECTIVE = /^\s*\.\. (?:([a-z]{1,20}):)?([a-z-]{1,40}):: +(\S.*)$/;
/** Directives without a domain that describe what they name: those of Python, of command lines and of settings. */
const DESCRIBES =
  /^(?:function|data|exception|class|attribute|property|method|(?:static|class)method|decorator(?:method)?|member|macro|type|var|enum|enumerator|struct|object|describe|option|cmdoption|envvar|confval|setting|directive|role)$/;
/** Those with a domain that do not. */
const NO_DESCRIPTION = /^(?:(?:current)?module|namespace(?:-push|-pop)?|default-domain|alias|auto.*)$/;
/** Lines of other signatures and options before a description. */
const MAX_SIGNATURES = 50;
const MAX_NAME = 200;

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
  let section: RstHeading | undefined;
  /** How far in the descriptions begin that a line stands in, the outermost first. */
  const open: number[] = [];
  /** How far in the outermost of the last ones began: text no further in ends them. */
  let margin = -1;
  for (let at = 0; at < lines.length; at += 1) {
    const indent = lines[at]!.search(/\S/);
    if (indent < 0) continue;
    const level = section?.level ?? 0;
    while (open.length > 0 && open.at(-1)! >= indent) open.pop();
    const name = describedAt(lines, at, indent);
    const glossary = GLOSSARY.exec(lines[at]!)?.[1]?.length;
    const heading = headingAt(lines, at, styles);
    if (name !== undefined) {
      open.push(indent);
      headings.push({ level: level + open.length, text: name, line: at + 1 });
      margin = open[0]!;
    } else if (glossary !== undefined) {
      const { terms, end } = glossaryTerms(lines, at + 1, glossary);
      for (const term of terms) headings.push({ ...term, level: level + 1 });
      at = end - 1;
    } else if (heading) {
      headings.push((section = heading));
      open.length = 0;
      margin = -1;
      at += 1;
    } else if (section && indent <= margin && isText(lines[at]!)) {
      // What follows the descriptions belongs to the section again.
      headings.push({ ...section, line: at + 1 });
      margin = -1;
    }
  }
  return headings;
}

/** A title whose underline follows. */
function headingAt(lines: readonly string[], at: number, styles: string[]): RstHeading | undefined {
  const [title, underline = ''] = [lines[at]!, lines[at + 1]];
  const mark = ADORNMENT.exec(underline)?.[1];
  if (mark === undefined || title.length > 500 || ADORNMENT.test(title)) return undefined;
  const over = at > 0 && lines[at - 1]!.trimEnd() === underline.trimEnd();
  const above = lines[at - (over ? 2 : 1)];
  const wide = underline.trimEnd().length >= Math.min(title.trimEnd().length, 4);
  // Indented lines are quotes or code, and a heading stands after a blank line.
  if (!wide || (!over && /^\s/.test(title)) || (above !== undefined && above.trim() !== '')) return undefined;
  const style = over ? mark + mark : mark;
  if (!styles.includes(style)) {
    if (styles.length >= MAX_LEVELS) return undefined;
    styles.push(style);
  }
  return { level: styles.indexOf(style) + 1, text: display(title), line: over ? at : at + 1 };
}

function isText(line: string): boolean {
  return !/^\s*\.\. /.test(line) && !ADORNMENT.test(line);
}

/** The name of what the directive at a line describes, where a description follows, further in and after an empty line. */
function describedAt(lines: readonly string[], at: number, indent: number): string | undefined {
  const [, domain = '', kind = '', signature = ''] = DIRECTIVE.exec(lines[at]!) ?? [];
  if (!(domain ? !NO_DESCRIPTION.test(kind) : DESCRIBES.test(kind))) return undefined;
  for (let next = at + 1, apart = false; next < Math.min(lines.length, at + MAX_SIGNATURES); next += 1) {
    const start = lines[next]!.search(/\S/);
    if (start >= 0 && (apart || start <= indent))
      return start > indent ? nameIn(signature, domain) : undefined;
    apart ||= start < 0;
  }
  return undefined;
}

/** Without arguments, type and value; in C and C++ the type stands before the name. */
function nameIn(signature: string, domain: string): string | undefined {
  const ends = domain === 'http' ? [] : ['(', ' -> ', ': ', ' = '].map((mark) => signature.indexOf(mark));
  const name = signature.slice(0, Math.min(MAX_NAME, ...ends.filter((end) => end >= 0))).trim();
  return (/^c(?:pp)?$/.test(domain) ? name.split(/[^\w.:~]/).at(-1) : name) || undefined;
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
