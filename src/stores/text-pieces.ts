// A text in pieces, so that a few lines of a long text can be read without the rest.

export interface TextPiece {
  /** Where it begins in the text. */
  start: number;
  /** Number of the line it begins in. */
  line: number;
  text: string;
}

/** Pieces of at most `most` characters, in order. */
export function* textPieces(text: string, most: number): Generator<TextPiece> {
  let line = 1;
  for (let start = 0; start < text.length;) {
    const end = pieceEnd(text, start, most);
    const piece = text.slice(start, end);
    yield { start, line, text: piece };
    for (let at = piece.indexOf('\n'); at !== -1; at = piece.indexOf('\n', at + 1)) line += 1;
    start = end;
  }
}

/** After a line end, or in a very long line at a code point. */
function pieceEnd(text: string, start: number, most: number): number {
  const hard = start + most;
  if (hard >= text.length) return text.length;
  const lineEnd = text.lastIndexOf('\n', hard - 1);
  if (lineEnd >= start) return lineEnd + 1;
  const unit = text.charCodeAt(hard - 1);
  return unit >= 0xd800 && unit <= 0xdbff ? hard - 1 : hard;
}
