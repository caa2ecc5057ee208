// The comment and the attributes above a definition belong to it. Lines are looked at, not parsed: a wrong guess costs a line.

/** How a line of a comment, an attribute or a decorator begins. */
const ABOVE =
  /^\s*(?:\/\/|\/\*|\*|#(?!\s*(?:include|define|undef|if|ifdef|ifndef|else|elif|endif|pragma|import|error)\b)|--|;;|@|\[[A-Za-z]|"""|''')/;
const MAX_LINES = 60;
const ATTRIBUTE = /^\s*@[A-Za-z]/;
const CLOSES = /^\s*[)\]}]/;
const MAX_ATTRIBUTE = 10;
/** A text in an attribute, as Elixir writes documentation: `@doc """`, and a line that ends it. */
const TEXT_BEGINS = /^\s*@\w+ +(?:~[A-Za-z])?"""/;
const TEXT_ENDS = /^\s*"""\s*$/;

/** The first line of what stands right above `line`, but not before `first`; both from 1. */
export function commentStart(lines: readonly string[], line: number, first: number): number {
  let start = line;
  for (let taken = 0; start > first && taken < MAX_LINES; taken += 1) {
    const above = start - 1;
    const next = ABOVE.test(lines[above - 1]!) ? above : attributeStart(lines, above, first);
    if (next === undefined) break;
    start = TEXT_ENDS.test(lines[next - 1]!) ? textStart(lines, next, first) : next;
  }
  return start;
}

/** The line in which an attribute begins that goes on, further in or with a bracket, up to `end`. */
function attributeStart(lines: readonly string[], end: number, first: number): number | undefined {
  let least = Infinity;
  for (let at = end; at >= Math.max(first, end - MAX_ATTRIBUTE); at -= 1) {
    const line = lines[at - 1]!;
    const indent = line.search(/\S/);
    if (indent < 0) return undefined;
    // What stands no further in is something else that has the attribute, a field say.
    if (ATTRIBUTE.test(line)) return indent < least ? at : undefined;
    if (!CLOSES.test(line)) least = Math.min(least, indent);
  }
  return undefined;
}

/** The line in which the text of an attribute begins that ends in `end`; that line itself where it is no such text. */
function textStart(lines: readonly string[], end: number, first: number): number {
  for (let at = end - 1; at >= first; at -= 1)
    if (lines[at - 1]!.includes('"""')) return TEXT_BEGINS.test(lines[at - 1]!) ? at : end;
  return end;
}
