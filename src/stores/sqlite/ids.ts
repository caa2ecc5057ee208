// Ids carry their place, so that ranges need no further index: a chunk is `collection << 32 | sequence`, a piece of text
// `document << 20 | number`. Neither is reused.

export const CHUNK_SPAN = 2 ** 32;
export const PIECE_SPAN = 2 ** 20;
