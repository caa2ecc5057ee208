// Ids carry their place, so that ranges need no further index: a chunk is `collection << 32 | sequence`, a piece of text
// `document << 20 | number`. Neither is reused.

export const CHUNK_SPAN = 2 ** 32;
export const PIECE_SPAN = 2 ** 20;

export type Span = readonly [first: number, last: number];

export function chunksOf(collection: number): Span {
  return [collection * CHUNK_SPAN, (collection + 1) * CHUNK_SPAN - 1];
}

export function piecesOf(document: number): Span {
  return [document * PIECE_SPAN, (document + 1) * PIECE_SPAN - 1];
}
