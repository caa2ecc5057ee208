// Two SIMD loops over rows in memory, assembled here byte by byte so that nothing has to be compiled or downloaded:
// `dots` writes the inner product of a query with every row of f32, `codes` an estimate of it from one bit per dimension.

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

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** What is used of the platform's own interface, whose types come with the browser's and not with Node's. */
interface Platform {
  Memory: new (size: { initial: number; maximum: number }) => WasmMemory;
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { exports: unknown };
}

const platform = (globalThis as unknown as { WebAssembly: Platform }).WebAssembly;

const I32 = 0x7f;
const F32 = 0x7d;
const V128 = 0x7b;

const get = (local: number): number[] => [0x20, local];
const set = (local: number): number[] => [0x21, local];
const i32 = (value: number): number[] => [0x41, ...signed(value)];
const add = [0x6a];
const lessThan = [0x49];
const fAdd = [0x92];
const fMul = [0x94];
const toFloat = [0xb2];
const loop = [0x03, 0x40];
const again = [0x0d, 0x00];
const end = [0x0b];
const storeFloat = [0x38, 0x02, 0x00];
const loadFloat = [0x2a, 0x02, 0x00];
const simd = (code: number, ...rest: number[]): number[] => [0xfd, ...unsigned(code), ...rest];
const load = (offset: number): number[] => simd(0x00, 0x04, ...unsigned(offset));
const zero = simd(0x0c, ...new Array<number>(16).fill(0));
const and = simd(0x4e);
const popcount = simd(0x62);
const addBytes = simd(0x6e);
const shiftBytes = (by: number): number[] => [...i32(by), ...simd(0x6b)];
const widenBytes = simd(0x7d);
const widenShorts = simd(0x7f);
const addInts = simd(0xae);
const addFloats = simd(0xe4);
const mulFloats = simd(0xe6);

/** local += bytes */
const advance = (local: number, bytes: number[]): number[] => [
  ...get(local),
  ...bytes,
  ...add,
  ...set(local),
];

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
    ...advance(q, i32(64)),
    ...advance(rows, i32(64)),
    ...get(rows),
    ...get(stop),
    ...lessThan,
    ...again,
    ...end,
    ...total,
    ...get(out),
    ...lanes,
    ...storeFloat,
    ...advance(out, i32(4)),
    ...get(out),
    ...get(last),
    ...lessThan,
    ...again,
    ...end,
    ...end,
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
    ...advance(p, i32(64)),
    ...advance(rows, i32(16)),
    ...get(rows),
    ...get(stop),
    ...lessThan,
    ...again,
    ...end,
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
    ...advance(factors, i32(4)),
    ...advance(out, i32(4)),
    ...get(out),
    ...get(last),
    ...lessThan,
    ...again,
    ...end,
    ...end,
  ];
}

let compiled: object | undefined;

/** Memory in pages of 64 KB. */
export function createMemory(maximum: number): WasmMemory {
  return new platform.Memory({ initial: 1, maximum });
}

export function createKernel(memory: WasmMemory): Kernel {
  compiled ??= new platform.Module(assemble());
  return new platform.Instance(compiled, { vai: { memory } }).exports as Kernel;
}

function assemble(): Uint8Array {
  const dotsLocals = locals([3, I32], [4, V128]);
  const codesLocals = locals([3, I32], [4, V128]);
  const bytes = [
    0x00,
    0x61,
    0x73,
    0x6d,
    0x01,
    0x00,
    0x00,
    0x00,
    ...section(1, [
      2,
      ...[0x60, 5, I32, I32, I32, I32, I32, 0],
      ...[0x60, 9, I32, I32, I32, I32, I32, I32, F32, F32, F32, 0],
    ]),
    ...section(2, [1, ...name('vai'), ...name('memory'), 0x02, 0x00, 0x01]),
    ...section(3, [2, 0, 1]),
    ...section(7, [2, ...name('dots'), 0x00, 0, ...name('codes'), 0x00, 1]),
    ...section(10, [2, ...sized([...dotsLocals, ...dotsBody()]), ...sized([...codesLocals, ...codesBody()])]),
  ];
  return Uint8Array.from(bytes);
}

function locals(...groups: [count: number, type: number][]): number[] {
  return [groups.length, ...groups.flat()];
}

function section(id: number, content: number[]): number[] {
  return [id, ...sized(content)];
}

function sized(content: number[]): number[] {
  return [...unsigned(content.length), ...content];
}

function name(text: string): number[] {
  return sized([...Buffer.from(text)]);
}

/** LEB128, the variable-length numbers of the format. */
function unsigned(value: number): number[] {
  const bytes: number[] = [];
  do {
    const low = value & 0x7f;
    value >>>= 7;
    bytes.push(value ? low | 0x80 : low);
  } while (value);
  return bytes;
}

function signed(value: number): number[] {
  const bytes: number[] = [];
  for (;;) {
    const low = value & 0x7f;
    value >>= 7;
    const done = (value === 0 && !(low & 0x40)) || (value === -1 && Boolean(low & 0x40));
    bytes.push(done ? low : low | 0x80);
    if (done) return bytes;
  }
}
