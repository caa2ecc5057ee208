// The YAML that front matter is usually written in: keys, words, numbers, quoted strings, lists, nested maps, folded and
// literal text. A page's front matter takes longer in a full parser than all the rest of reading it; anything that YAML
// might read differently from what is written here is left to that parser, which is the oracle of the tests.

export type SimpleValue = string | number | boolean | null | SimpleValue[] | { [key: string]: SimpleValue };

interface Line {
  indent: number;
  content: string;
  /** Where the line stands, blank lines and comments counted. */
  at: number;
}

const KEY = /^([A-Za-z_][\w-]{0,80}):(?: +(\S.*))?$/;
const NUMBER = /^-?(?:0|[1-9]\d{0,8})(?:\.\d{1,6})?$|^-?[1-9]\d{0,14}$/;
const PADDED = /^0\d{1,8}$/;
/** A date, or words of which the first begins with a number that is none of YAML's. */
const NUMBERED = /^\d{4}[-/]\d{2}[-/]\d{2}$|^[1-9]\d{0,8}(?:[a-df-zA-DF-Z]\w*$| [A-Za-z])/;
const QUOTED = /^"([^"\\]*)"$|^'([^']*)'$/;
/** With escapes that mean the same in JSON. */
const ESCAPED = /^"(?:[^"\\]|\\["\\/nt])*"$/;
/** A list in one line, of words without any mark of YAML. */
const FLOW = /^\[ ?((?:[\w/.][\w/. -]*|"[\w/. -]*")(?:, ?(?:[\w/.][\w/. -]*|"[\w/. -]*"))*)\]$/;
const BLOCK = /^([>|])(-?)$/;
const MAX_DEPTH = 6;

class NotSimple extends Error {}

/** Undefined when a parser has to look at it. */
export function parseSimpleYaml(source: string): Record<string, SimpleValue> | undefined {
  if (/[\t\u0000-\u0008\u000b-\u001f\u0085\u2028\u2029\ufeff]/.test(source)) return undefined; // eslint-disable-line no-control-regex
  const raw = source.split('\n');
  const lines: Line[] = [];
  for (const [at, text] of raw.entries()) {
    const indent = text.search(/\S/);
    if (indent === -1 || text[indent] === '#') continue;
    lines.push({ indent, content: text.trim(), at });
  }
  try {
    const reader = new SimpleReader(raw, lines);
    return reader.map(0, 0, true);
  } catch (thrown) {
    if (thrown instanceof NotSimple) return undefined;
    throw thrown;
  }
}

class SimpleReader {
  readonly #raw: readonly string[];
  readonly #lines: Line[];
  #next = 0;

  constructor(raw: readonly string[], lines: Line[]) {
    this.#raw = raw;
    this.#lines = lines;
  }

  map(indent: number, depth: number, whole = false): Record<string, SimpleValue> {
    const map: Record<string, SimpleValue> = {};
    let keys = 0;
    for (let line = this.#lines[this.#next]; line && line.indent === indent; line = this.#lines[this.#next]) {
      const match = KEY.exec(line.content);
      if (!match || depth > MAX_DEPTH) throw new NotSimple();
      const key = match[1]!;
      if (/^(?:__proto__|null|true|false)$/i.test(key) || Object.hasOwn(map, key)) throw new NotSimple();
      this.#next += 1;
      map[key] = match[2] === undefined ? this.#nested(indent, depth) : this.#value(match[2], line);
      keys += 1;
    }
    const rest = this.#lines[this.#next];
    if (keys === 0 || (rest && (whole || rest.indent > indent))) throw new NotSimple();
    return map;
  }

  /** What stands under a key without a value. */
  #nested(indent: number, depth: number): SimpleValue {
    const line = this.#lines[this.#next];
    if (!line || line.indent < indent) return null;
    if (isItem(line.content)) return this.#list(line.indent, depth + 1);
    return line.indent > indent ? this.map(line.indent, depth + 1) : null;
  }

  #list(indent: number, depth: number): SimpleValue[] {
    const list: SimpleValue[] = [];
    if (depth > MAX_DEPTH) throw new NotSimple();
    for (
      let line = this.#lines[this.#next];
      line && line.indent === indent && isItem(line.content);
      line = this.#lines[this.#next]
    ) {
      const rest = line.content.slice(1).trimStart();
      if (rest === '' || isItem(rest)) throw new NotSimple();
      if (KEY.test(rest)) {
        const inner = indent + line.content.length - rest.length;
        this.#lines[this.#next] = { ...line, indent: inner, content: rest };
        list.push(this.map(inner, depth + 1));
      } else {
        this.#next += 1;
        list.push(this.#value(rest, line));
      }
    }
    const after = this.#lines[this.#next];
    if (after && after.indent > indent) throw new NotSimple();
    return list;
  }

  #value(text: string, line: Line): SimpleValue {
    const block = BLOCK.exec(text);
    if (block) return this.#text(line, block[1] === '>', block[2] === '');
    const following = this.#lines[this.#next];
    // A deeper line would go on with this value.
    if (following && following.indent > line.indent) throw new NotSimple();
    const flow = FLOW.exec(text);
    if (flow) return flow[1]!.split(',').map((item) => scalar(item.trim()));
    return scalar(/^["']/.test(text) ? text : withoutComment(text));
  }

  /** Folded or literal text of one paragraph, all at one indentation. */
  #text(line: Line, folded: boolean, newline: boolean): string {
    const parts: string[] = [];
    let indent = -1;
    let ended = false;
    let spaces = false;
    let at = line.at + 1;
    for (; at < this.#raw.length; at += 1) {
      const text = this.#raw[at]!;
      const depth = text.search(/\S/);
      // Blank lines at the end are dropped; one with spaces, or with more text after it, means something.
      if (depth === -1) {
        spaces ||= text.length > Math.max(indent, 0);
        ended = true;
        continue;
      }
      if (depth <= line.indent) break;
      if (ended) throw new NotSimple();
      if (indent === -1) indent = depth;
      if (depth !== indent || text[depth] === '#') throw new NotSimple();
      parts.push(text.slice(indent));
    }
    if (spaces && parts.length > 0) throw new NotSimple();
    while (this.#next < this.#lines.length && this.#lines[this.#next]!.at < at) this.#next += 1;
    return parts.join(folded ? ' ' : '\n') + (newline && parts.length > 0 ? '\n' : '');
  }
}

function withoutComment(text: string): string {
  let end = text.indexOf(' #');
  if (end === -1) return text;
  while (text[end - 1] === ' ') end -= 1;
  return text.slice(0, end);
}

function isItem(content: string): boolean {
  return content === '-' || content.startsWith('- ');
}

function scalar(word: string): SimpleValue {
  if (NUMBER.test(word)) return Object.is(Number(word), -0) ? fail() : Number(word);
  const quoted = QUOTED.exec(word);
  if (quoted) return quoted[1] ?? quoted[2]!;
  if (ESCAPED.test(word)) return JSON.parse(word) as string;
  if (PADDED.test(word)) return Number(word);
  if ((!/^[A-Za-z/<]/.test(word) && !NUMBERED.test(word)) || /: | #|:$/.test(word)) return fail();
  if (/^(?:true|True|TRUE)$/.test(word)) return true;
  if (/^(?:false|False|FALSE)$/.test(word)) return false;
  return /^(?:null|Null|NULL)$/.test(word) ? null : word;
}

function fail(): never {
  throw new NotSimple();
}
