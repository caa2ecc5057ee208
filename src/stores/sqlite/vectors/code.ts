// Vectors as bytes: the exact numbers, and one bit per dimension for a first pass over very many.

/** Little-endian f32, exactly as given. */
export function encodeVector(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

export function decodeVector(bytes: Uint8Array): Float32Array {
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}

/** Bytes of a code: one bit per dimension, filled up to 16 so that the scan reads whole SIMD words. */
export function codeBytes(dimensions: number): number {
  return Math.ceil(dimensions / 128) * 16;
}

export function signCode(vector: Float32Array): Uint8Array {
  const code = new Uint8Array(codeBytes(vector.length));
  for (let at = 0; at < vector.length; at += 1) if (vector[at]! > 0) code[at >> 3]! |= 1 << (at & 7);
  return code;
}
