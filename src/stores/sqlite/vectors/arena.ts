// The memory the kernel reads: one block that grows, in which regions are given out and taken back. Offsets change when
// it is tidied, so a region is asked for its offset each time.

import { createMemory } from '../../../wasm/assembler.ts';
import { createKernel, type Kernel } from './kernel.ts';

const PAGE = 65_536;
/** 4 GB: what addresses reach. */
const MAX_PAGES = 65_536;
const ALIGN = 64;

export interface Region {
  offset: number;
  readonly bytes: number;
}

export interface Arena {
  readonly kernel: Kernel;
  /** Bytes given out. */
  used(): number;
  take(bytes: number): Region;
  drop(region: Region): void;
  u8(region: Region): Uint8Array;
  f32(region: Region): Float32Array;
}

export function createArena(): Arena {
  const memory = createMemory(1, MAX_PAGES);
  const kernel = createKernel(memory);
  const regions: Region[] = [];
  let top = ALIGN;
  let used = 0;

  function tidy(): void {
    const bytes = new Uint8Array(memory.buffer);
    regions.sort((a, b) => a.offset - b.offset);
    top = ALIGN;
    for (const region of regions) {
      bytes.copyWithin(top, region.offset, region.offset + region.bytes);
      region.offset = top;
      top += region.bytes;
    }
  }

  function take(wanted: number): Region {
    const bytes = Math.ceil(wanted / ALIGN) * ALIGN;
    // Moving what is left costs less than growing once more than half of the memory lies idle.
    if (top + bytes > memory.buffer.byteLength && top - used > used + bytes) tidy();
    const missing = top + bytes - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
    const region = { offset: top, bytes };
    top += bytes;
    used += bytes;
    regions.push(region);
    return region;
  }

  function drop(region: Region): void {
    const at = regions.indexOf(region);
    if (at === -1) return;
    regions.splice(at, 1);
    used -= region.bytes;
    if (region.offset + region.bytes === top) top = region.offset;
  }

  return {
    kernel,
    used: () => used,
    take,
    drop,
    u8: (region) => new Uint8Array(memory.buffer, region.offset, region.bytes),
    f32: (region) => new Float32Array(memory.buffer, region.offset, region.bytes / 4),
  };
}
