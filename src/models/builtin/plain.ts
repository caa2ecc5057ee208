// Most text is ASCII but for dashes, quotes and arrows. Such text becomes bytes, in which one loop finds the words; text
// with other letters, or marks that join what stands beside them, is left to the whole Unicode treatment.

const SPACE = 0x20;
/** Beyond it lie ideographs and what is not in use. */
const MAX_POINT = 0x20000;
const [SEPARATES, OTHER] = [1, 2] as const;

const encoder = new TextEncoder();
const kinds = new Uint8Array(MAX_POINT);

/** Writes the text with a space for every sign outside ASCII; answers its length, or -1 when it is not so plain. */
export function plainBytes(text: string, bytes: Uint8Array): number {
  const { length } = text;
  if (length > bytes.length) return -1;
  // Only ASCII takes one byte per unit of the string.
  const { read, written } = encoder.encodeInto(text, bytes);
  if (read === length && written === length) return length;
  for (let at = 0; at < length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 128) {
      bytes[at] = unit;
      continue;
    }
    const point = unit >= 0xd800 && unit < 0xdc00 ? text.codePointAt(at)! : unit;
    if (point >= MAX_POINT || (kinds[point] ||= kindOf(point)) === OTHER) return -1;
    bytes[at] = SPACE;
    if (point > 0xffff) bytes[++at] = SPACE;
  }
  return length;
}

/** Whether a sign, decomposed, still only separates words. */
function kindOf(point: number): number {
  const signs = String.fromCodePoint(point).normalize('NFKD');
  return /^\p{M}|[\p{L}\p{N}]/u.test(signs) ? OTHER : SEPARATES;
}
