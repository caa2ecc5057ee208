// Bounds on a JSON text before it is parsed: how deep it nests and how many values it holds. Deep nesting parses
// fine but overflows the stack of whatever walks the value afterwards.

const MAX_DEPTH = 64;
const MAX_VALUES = 200_000;

export type ShapeVerdict = 'ok' | 'too deep' | 'too many values';

const QUOTE = 34;
const BACKSLASH = 92;

export function checkShape(text: string, maxDepth = MAX_DEPTH, maxValues = MAX_VALUES): ShapeVerdict {
  // A short text can neither nest deeply nor hold many values.
  if (text.length <= maxDepth) return 'ok';
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = stringEnd(text, at);
    } else if (code === 123 || code === 91) {
      depth += 1;
      if (depth > maxDepth) return 'too deep';
    } else if (code === 125 || code === 93) {
      depth -= 1;
    } else if (code === 44) {
      values += 1;
      if (values > maxValues) return 'too many values';
    }
  }
  return 'ok';
}

function stringEnd(text: string, start: number): number {
  let at = start;
  for (;;) {
    at = text.indexOf('"', at + 1);
    if (at === -1) return text.length;
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
}
