// Sums and products of rows as SIMD instructions. Where the platform has none, `createKernel` returns nothing and the
// caller computes in JavaScript.

import {
  add,
  addFloats,
  addInts,
  advance,
  compile,
  createMemory,
  end,
  get,
  I32,
  instantiate,
  load,
  loop,
  mulFloats,
  set,
  simd,
  V128,
  whileBelow,
  zero,
} from '../../wasm/assembler.ts';

/**
 * Adds the rows named by the ids in `ids` up to `idsEnd` (at least one), each times the factor that lies `factors` bytes
 * behind its id, and stores the sum at unit length (or zero) from `out` to `outEnd`. The others are addresses; `stride` and
 * the bytes stored are multiples of 32 numbers.
 */
export interface Kernel {
  readonly memory: ArrayBuffer;
  embed(
    ids: number,
    idsEnd: number,
    rows: number,
    factors: number,
    stride: number,
    out: number,
    outEnd: number,
  ): void;
  /**
   * Of every row named from `askedEnd` to `idsEnd`, with every row named from `asked` to `askedEnd` (at least one each):
   * the scalar product of their first 128 codes, stored as whole numbers one after the other.
   */
  products(asked: number, askedEnd: number, idsEnd: number, rows: number, stride: number, out: number): void;
}

/** Numbers added up at a time: what fits into registers. */
export const BLOCK = 32;
/** Codes of a row that are multiplied. */
export const PRODUCT = 128;
const PAGE = 65_536;

export function createKernel(bytes: number): Kernel | undefined {
  try {
    const integers = (count: number): number[] => new Array<number>(count).fill(I32);
    const module = compile([
      {
        name: 'embed',
        parameters: integers(7),
        locals: [[3, I32] as const, [10, V128] as const],
        body: [...sumRows(), ...normalise()],
      },
      {
        name: 'products',
        parameters: integers(6),
        locals: [[4, I32] as const, [1, V128] as const],
        body: multiplyRows(),
      },
    ]);
    const pages = Math.ceil(bytes / PAGE);
    const memory = createMemory(pages, pages);
    const functions = instantiate<Omit<Kernel, 'memory'>>(module, memory);
    return { memory: memory.buffer, embed: functions.embed, products: functions.products };
  } catch {
    // No WebAssembly, no SIMD or no address space: slower, not broken.
    return undefined;
  }
}

const [ids, idsEnd, rows, factors, stride, out, outEnd] = [0, 1, 2, 3, 4, 5, 6] as const;
const [at, address, id, scale, eight] = [7, 8, 9, 10, 11] as const;
const sums = [12, 13, 14, 15, 16, 17, 18, 19];

const store = (offset: number): number[] => simd(0x0b, 0, offset);
const splat = simd(0x13);
const lane = (number: number): number[] => simd(0x1f, number);

/** Eight codes become two fours of floats, each added to a sum of its own. */
function addEight(block: number): number[] {
  const half = (extend: number, sum: number): number[] => [
    ...get(eight),
    ...simd(extend),
    ...simd(0xfa),
    ...get(scale),
    ...mulFloats,
    ...get(sum),
    ...addFloats,
    ...set(sum),
  ];
  return [
    ...get(address),
    ...simd(0x01, 0, block * 8),
    ...set(eight),
    ...half(0xa7, sums[block * 2]!),
    ...half(0xa8, sums[block * 2 + 1]!),
  ];
}

/** For every block of numbers, over all ids: the sums stay in registers. */
function sumRows(): number[] {
  return [
    ...get(out),
    ...set(at),
    ...loop,
    ...sums.flatMap((sum) => [...zero, ...set(sum)]),
    ...get(ids),
    ...set(id),
    ...loop,
    // scale = the factor behind the id, four times; address = rows + id · stride
    ...[...get(factors), ...get(id), ...add, ...simd(0x09, 0, 0), ...set(scale)],
    ...[...get(rows), ...get(id), 0x28, 2, 0, ...get(stride), 0x6c, ...add, ...set(address)],
    ...[0, 1, 2, 3].flatMap(addEight),
    ...advance(id, 4),
    ...whileBelow(id, idsEnd),
    ...sums.flatMap((sum, four) => [...get(at), ...get(sum), ...store(four * 16)]),
    ...advance(rows, BLOCK),
    ...advance(at, BLOCK * 4),
    ...whileBelow(at, outEnd),
  ];
}

/** A sum of squares of zero means a vector of nothing. */
function normalise(): number[] {
  const [square, value] = [sums[0]!, eight];
  return [
    ...[...zero, ...set(square), ...get(out), ...set(at)],
    ...loop,
    ...[...get(at), ...load(0), ...set(value), ...get(value), ...get(value), ...mulFloats],
    ...[...get(square), ...addFloats, ...set(square)],
    ...advance(at, 16),
    ...whileBelow(at, outEnd),
    ...[0, 1, 2, 3].flatMap((number) => [...get(square), ...lane(number), ...(number ? [0x92] : [])]),
    ...[...splat, ...set(square)],
    // if (square > 0) scale = 1 / √square
    ...[...get(square), ...lane(0), 0x43, 0, 0, 0, 0, 0x5e, 0x04, 0x40],
    ...[0x43, 0, 0, 0x80, 0x3f, ...get(square), ...lane(0), 0x91, 0x95, ...splat, ...set(scale)],
    ...[...get(out), ...set(at)],
    ...loop,
    ...[...get(at), ...get(at), ...load(0), ...get(scale), ...mulFloats, ...store(0)],
    ...advance(at, 16),
    ...whileBelow(at, outEnd),
    ...end,
  ];
}

/** Eight codes of each at a time, widened, multiplied and added in pairs; then the four sums become one. */
function multiplyRows(): number[] {
  const [asked, askedEnd, idsEnd, rows, stride, out] = [0, 1, 2, 3, 4, 5] as const;
  const [id, at, own, other, sum] = [6, 7, 8, 9, 10] as const;
  const rowOf = (place: number): number[] => [
    ...[...get(rows), ...get(place), 0x28, 2, 0],
    ...[...get(stride), 0x6c, ...add],
  ];
  const eightOf = (row: number, block: number): number[] => [...get(row), ...simd(0x01, 0, block * 8)];
  const blocks = Array.from({ length: PRODUCT / 8 }, (_, block) => [
    ...[...eightOf(own, block), ...eightOf(other, block), ...simd(0xba)],
    ...(block ? addInts : []),
  ]);
  return [
    ...[...get(askedEnd), ...set(id)],
    ...loop,
    ...[...rowOf(id), ...set(own), ...get(asked), ...set(at)],
    ...loop,
    ...[...rowOf(at), ...set(other), ...blocks.flat(), ...set(sum), ...get(out)],
    ...[0, 1, 2, 3].flatMap((number) => [...[...get(sum), ...simd(0x1b, number)], ...(number ? add : [])]),
    ...[0x36, 2, 0],
    ...advance(out, 4),
    ...advance(at, 4),
    ...whileBelow(at, askedEnd),
    ...advance(id, 4),
    ...whileBelow(id, idsEnd),
  ];
}
