// Two SIMD loops over rows in memory, each a factor (f32) and `stride` bytes:
// `bytes` writes the inner product of a query with every row of one byte per dimension, `codes` an estimate of it from one bit.

import {
  add,
  addInts,
  advance,
  compile,
  F32,
  get,
  I32,
  i32,
  instantiate,
  load,
  loop,
  set,
  simd,
  V128,
  whileBelow,
  zero,
  type WasmMemory,
} from '../../../wasm/assembler.ts';

/** Offsets and sizes are in bytes; `stride` is a multiple of 16. */
export interface Kernel {
  /** `query`: two bytes per dimension. A product is that of the whole numbers · scale · the row's factor. */
  bytes(query: number, rows: number, out: number, count: number, stride: number, scale: number): void;
  /**
   * `planes`: for every 16 bytes of a code, four 16-byte masks of rising weight (see `queryPlanes`). An estimate is
   * (a·S + b·P + c) · factor, with S the weighted and P the plain number of common bits.
   */
  codes(
    planes: number,
    rows: number,
    out: number,
    count: number,
    stride: number,
    a: number,
    b: number,
    c: number,
  ): void;
}

const fAdd = [0x92];
const fMul = [0x94];
const toFloat = [0xb2];
const storeFloat = [0x38, 0x02, 0x00];
const loadFloat = [0x2a, 0x02, 0x00];
/** Eight bytes from an address, each as a signed number of two bytes. */
const loadBytes = (offset: number): number[] => simd(0x01, 0x03, offset);
/** Products of signed numbers of two bytes, added up in pairs. */
const dotShorts = simd(0xba);
const and = simd(0x4e);
const popcount = simd(0x62);
const addBytes = simd(0x6e);
const shiftBytes = (by: number): number[] => [...i32(by), ...simd(0x6b)];
const widenBytes = simd(0x7d);
const widenShorts = simd(0x7f);

/** The four whole numbers of a local, added up. */
const sumOf = (local: number): number[] =>
  [0, 1, 2, 3].flatMap((lane) => [...get(local), ...simd(0x1b, lane), ...(lane ? add : [])]);

/** Reads the factor a row begins with and goes on to what follows it. */
const takeFactor = (rows: number, factor: number): number[] => [
  ...get(rows),
  ...loadFloat,
  ...set(factor),
  ...advance(rows, 4),
];

function bytesBody(): number[] {
  const [query, rows, out, count, stride, scale] = [0, 1, 2, 3, 4, 5] as const;
  const [q, stop, last, factor] = [6, 7, 8, 13] as const;
  const sums = [9, 10];
  const step = sums.flatMap((sum, half) => [
    ...get(rows),
    ...loadBytes(half * 8),
    ...get(q),
    ...load(half * 16),
    ...dotShorts,
    ...get(sum),
    ...addInts,
    ...set(sum),
  ]);
  return [
    ...get(out),
    ...get(count),
    ...i32(2),
    0x74,
    ...add,
    ...set(last),
    ...loop,
    ...sums.flatMap((sum) => [...zero, ...set(sum)]),
    ...get(query),
    ...set(q),
    ...takeFactor(rows, factor),
    ...get(rows),
    ...get(stride),
    ...add,
    ...set(stop),
    ...loop,
    ...step,
    ...advance(q, 32),
    ...advance(rows, 16),
    ...whileBelow(rows, stop),
    ...get(sums[0]!),
    ...get(sums[1]!),
    ...addInts,
    ...set(sums[0]!),
    ...get(out),
    ...sumOf(sums[0]!),
    ...toFloat,
    ...get(scale),
    ...fMul,
    ...get(factor),
    ...fMul,
    ...storeFloat,
    ...advance(out, 4),
    ...whileBelow(out, last),
  ];
}

function codesBody(): number[] {
  const [planes, rows, out, count, stride, a, b, c] = [0, 1, 2, 3, 4, 5, 6, 7] as const;
  const [p, stop, last, code, weighted, plain, bytes, factor] = [8, 9, 10, 11, 12, 13, 14, 15] as const;
  const plane = (n: number): number[] => [
    ...get(code),
    ...get(p),
    ...load(n * 16),
    ...and,
    ...popcount,
    ...(n ? shiftBytes(n) : []),
    ...(n ? addBytes : []),
  ];
  const widened = (local: number, sum: number): number[] => [
    ...get(local),
    ...widenBytes,
    ...widenShorts,
    ...get(sum),
    ...addInts,
    ...set(sum),
  ];
  return [
    ...get(out),
    ...get(count),
    ...i32(2),
    0x74,
    ...add,
    ...set(last),
    ...loop,
    ...zero,
    ...set(weighted),
    ...zero,
    ...set(plain),
    ...get(planes),
    ...set(p),
    ...takeFactor(rows, factor),
    ...get(rows),
    ...get(stride),
    ...add,
    ...set(stop),
    ...loop,
    ...get(rows),
    ...load(0),
    ...set(code),
    ...plane(0),
    ...plane(1),
    ...plane(2),
    ...plane(3),
    ...set(bytes),
    ...widened(bytes, weighted),
    ...get(code),
    ...popcount,
    ...set(bytes),
    ...widened(bytes, plain),
    ...advance(p, 64),
    ...advance(rows, 16),
    ...whileBelow(rows, stop),
    ...get(out),
    ...sumOf(weighted),
    ...toFloat,
    ...get(a),
    ...fMul,
    ...sumOf(plain),
    ...toFloat,
    ...get(b),
    ...fMul,
    ...fAdd,
    ...get(c),
    ...fAdd,
    ...get(factor),
    ...fMul,
    ...storeFloat,
    ...advance(out, 4),
    ...whileBelow(out, last),
  ];
}

let compiled: object | undefined;

export function createKernel(memory: WasmMemory): Kernel {
  const locals = [[3, I32] as const, [4, V128] as const, [1, F32] as const];
  const integers = (count: number): number[] => new Array<number>(count).fill(I32);
  compiled ??= compile([
    { name: 'bytes', parameters: [...integers(5), F32], locals, body: bytesBody() },
    { name: 'codes', parameters: [...integers(5), F32, F32, F32], locals, body: codesBody() },
  ]);
  return instantiate(compiled, memory);
}
