// The comment and the attributes above a definition belong to it. Lines are looked at, not parsed: a wrong guess costs a line.

/** How a line of a comment, an attribute or a decorator begins. */
const ABOVE =
  /^\s*(?:\/\/|\/\*|\*|#(?!\s*(?:include|define|undef|if|ifdef|ifndef|else|elif|endif|pragma|import|error)\b)|--|;;|@|\[[A-Za-z]|"""|''')/;
const MAX_LINES = 60;

/** The first line of what stands right above `line`, but not before `first`; both from 1. */
export function commentStart(lines: readonly string[], line: number, first: number): number {
  let start = line;
  while (start > first && line - start < MAX_LINES && ABOVE.test(lines[start - 2]!)) start -= 1;
  return start;
}
