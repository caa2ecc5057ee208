// A text as an array of its UTF-16 units, for the loops that look at every character of every ingested text: reading a
// part of a longer string one character at a time costs several times as much.

const KEPT = 65_536;
const scratch = Buffer.allocUnsafeSlow(KEPT * 2);
const kept = new Uint16Array(scratch.buffer, scratch.byteOffset, KEPT);
const LITTLE = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Valid until the next call. The array may be longer than the text. */
export function unitsOf(text: string): Uint16Array {
  const { length } = text;
  if (!LITTLE) return Uint16Array.from({ length }, (_, at) => text.charCodeAt(at));
  if (length <= KEPT) {
    scratch.write(text, 0, 'utf16le');
    return kept;
  }
  const bytes = Buffer.allocUnsafeSlow(length * 2);
  bytes.write(text, 0, 'utf16le');
  return new Uint16Array(bytes.buffer, bytes.byteOffset, length);
}
