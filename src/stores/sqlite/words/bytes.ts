// Numbers as bytes: seven bits each, the smaller the shorter. A buffer that grows, and a place to read from.

export class ByteWriter {
  bytes = new Uint8Array(1024);
  length = 0;

  clear(): void {
    this.length = 0;
  }

  number(value: number): void {
    if (this.length + 5 > this.bytes.length) this.grow(5);
    while (value > 127) {
      this.bytes[this.length++] = (value & 127) | 128;
      value >>>= 7;
    }
    this.bytes[this.length++] = value;
  }

  byte(value: number): void {
    if (this.length === this.bytes.length) this.grow(1);
    this.bytes[this.length++] = value;
  }

  copy(from: Uint8Array, start = 0, end = from.length): void {
    const count = end - start;
    if (this.length + count > this.bytes.length) this.grow(count);
    if (count < 24) for (let at = start; at < end; at += 1) this.bytes[this.length++] = from[at]!;
    else {
      this.bytes.set(start === 0 && end === from.length ? from : from.subarray(start, end), this.length);
      this.length += count;
    }
  }

  /** What was written; valid until the next write. */
  view(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  private grow(by: number): void {
    const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.length + by));
    larger.set(this.view());
    this.bytes = larger;
  }
}

export class ByteReader {
  readonly bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  /** Ends at the end of the bytes, whatever a damaged file holds. */
  number(): number {
    let byte = this.bytes[this.at++]!;
    if (!(byte >= 128)) return byte;
    let value = byte & 127;
    for (let shift = 7; ; shift += 7) {
      byte = this.bytes[this.at++]!;
      value |= (byte & 127) << shift;
      if (!(byte >= 128)) return value >>> 0;
    }
  }
}
