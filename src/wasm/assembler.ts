// WebAssembly modules put together instruction by instruction, so that the few SIMD loops of vai need neither a compiler
// nor a download. An instruction is the list of its bytes; a module is some functions over one imported memory.

export type Code = readonly number[];

export const I32 = 0x7f;
export const F32 = 0x7d;
export const V128 = 0x7b;

export const get = (local: number): number[] => [0x20, local];
export const set = (local: number): number[] => [0x21, local];
export const i32 = (value: number): number[] => [0x41, ...signed(value)];
export const add: Code = [0x6a];
const lessThan: Code = [0x49];
export const loop: Code = [0x03, 0x40];
/** Back to the beginning of the innermost loop, if there is a true value. */
const again: Code = [0x0d, 0x00];
export const end: Code = [0x0b];
export const simd = (code: number, ...rest: number[]): number[] => [0xfd, ...unsigned(code), ...rest];
export const zero: Code = simd(0x0c, ...new Array<number>(16).fill(0));
export const addFloats: Code = simd(0xe4);
export const mulFloats: Code = simd(0xe6);
export const addInts: Code = simd(0xae);
/** Sixteen bytes from an address. */
export const load = (offset: number): number[] => simd(0x00, 0x04, ...unsigned(offset));

/** local += value */
export const advance = (local: number, value: number): number[] => [
  ...get(local),
  ...i32(value),
  ...add,
  ...set(local),
];

/** The end of a loop that goes on while one local is below another. */
export const whileBelow = (local: number, limit: number): number[] => [
  ...get(local),
  ...get(limit),
  ...lessThan,
  ...again,
  ...end,
];

export interface WasmFunction {
  name: string;
  /** Types of the parameters, which are the first locals. */
  parameters: Code;
  /** Further locals: how many of which type, in order. */
  locals: readonly (readonly [count: number, type: number])[];
  body: Code;
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

/** Asked for when it is needed: a platform may have none. */
const platform = (): Platform => (globalThis as unknown as { WebAssembly: Platform }).WebAssembly;

/** In pages of 64 KB. */
export function createMemory(initial: number, maximum: number): WasmMemory {
  return new (platform().Memory)({ initial, maximum });
}

export function compile(functions: readonly WasmFunction[]): object {
  return new (platform().Module)(assemble(functions));
}

export function instantiate<Exports>(module: object, memory: WasmMemory): Exports {
  return new (platform().Instance)(module, { vai: { memory } }).exports as Exports;
}

function assemble(functions: readonly WasmFunction[]): Uint8Array {
  const list = (items: readonly Code[]): number[] => [...unsigned(items.length), ...items.flat()];
  const types = functions.map(({ parameters }) => [0x60, ...list(parameters.map((type) => [type])), 0]);
  const exported = functions.map(({ name }, at) => [...text(name), 0x00, at]);
  const bodies = functions.map(({ locals, body }) => sized([...list(locals), ...body, ...end]));
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, list(types)),
    ...section(2, [1, ...text('vai'), ...text('memory'), 0x02, 0x00, 0x01]),
    ...section(3, list(functions.map((_, at) => [at]))),
    ...section(7, list(exported)),
    ...section(10, list(bodies)),
  ]);
}

function section(id: number, content: Code): number[] {
  return [id, ...sized(content)];
}

function sized(content: Code): number[] {
  return [...unsigned(content.length), ...content];
}

function text(value: string): number[] {
  return sized([...Buffer.from(value)]);
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
