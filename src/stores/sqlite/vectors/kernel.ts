// Two SIMD loops over rows in memory:
// `dots` writes the inner product of a query with every row of f32, `codes` an estimate of it from one bit per dimension.

import {
  add,
  addFloats,
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
  mulFloats,
  set,
  simd,
  V128,
  whileBelow,
  zero,
  type WasmMemory,
} from '../../../wasm/assembler.ts';

/** Offsets and sizes are in bytes; `stride` is a multiple of 64 in `dots` and of 16 in `codes`. */
export interface Kernel {
  dots(query: number, rows: number, out: number, count: number, stride: number): void;
  /**
   * `planes`: for every 16 bytes of a code, four 16-byte masks of rising weight (see `queryPlanes`). An estimate is
   * (a·S + b·P + c) · factor, with S the weighted and P the plain number of common bits.
   */
  codes(
    planes: number,
    rows: number,
    factors: number,
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
const and = simd(0x4e);
const popcount = simd(0x62);
const addBytes = simd(0x6e);
const shiftBytes = (by: number): number[] => [...i32(by), ...simd(0x6b)];
const widenBytes = simd(0x7d);
const widenShorts = simd(0x7f);

function dotsBody(): number[] {
  const [query, rows, out, count, stride, q, stop, last] = [0, 1, 2, 3, 4, 5, 6, 7] as const;
  const sums = [8, 9, 10, 11];
  const step = sums.flatMap((sum, lane) => [
    ...get(sum),
    ...get(q),
    ...load(lane * 16),
    ...get(rows),
    ...load(lane * 16),
    ...mulFloats,
    ...addFloats,
    ...set(sum),
  ]);
  const total = [
    ...get(8),
    ...get(9),
    ...addFloats,
    ...get(10),
    ...addFloats,
    ...get(11),
    ...addFloats,
    ...set(8),
  ];
  const lanes = [0, 1, 2, 3].flatMap((lane) => [...get(8), ...simd(0x1f, lane), ...(lane ? fAdd : [])]);
  return [
    // last = out + 4 · count
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
    ...get(rows),
    ...get(stride),
    ...add,
    ...set(stop),
    ...loop,
    ...step,
    ...advance(q, 64),
    ...advance(rows, 64),
    ...whileBelow(rows, stop),
    ...total,
    ...get(out),
    ...lanes,
    ...storeFloat,
    ...advance(out, 4),
    ...whileBelow(out, last),
  ];
}

function codesBody(): number[] {
  const [planes, rows, factors, out, count, stride] = [0, 1, 2, 3, 4, 5] as const;
  const [a, b, c, p, stop, last, code, weighted, plain, bytes] = [
    6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
  ] as const;
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
  const sumOf = (local: number): number[] =>
    [0, 1, 2, 3].flatMap((lane) => [...get(local), ...simd(0x1b, lane), ...(lane ? add : [])]);
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
    ...get(factors),
    ...loadFloat,
    ...fMul,
    ...storeFloat,
    ...advance(factors, 4),
    ...advance(out, 4),
    ...whileBelow(out, last),
  ];
}

let compiled: object | undefined;

export function createKernel(memory: WasmMemory): Kernel {
  const locals = [[3, I32] as const, [4, V128] as const];
  const integers = (count: number): number[] => new Array<number>(count).fill(I32);
  compiled ??= compile([
    { name: 'dots', parameters: integers(5), locals, body: dotsBody() },
    { name: 'codes', parameters: [...integers(6), F32, F32, F32], locals, body: codesBody() },
  ]);
  return instantiate(compiled, memory);
}
