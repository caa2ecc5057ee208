// The blz toolset as a server serves it.

import { homedir } from 'node:os';
import { createMask } from '../../engine/docs/mask.ts';
import { ABOUT } from '../../tools/about.ts';
import type { Toolset } from '../../tools/tool.ts';
import { configPlaces } from '../../config/index.ts';
import type { Frame } from '../frame.ts';
import type { ServerKind } from '../serve/serve.ts';

export async function loadBlzToolset(frame: Frame): Promise<Toolset> {
  const { createBlzToolset } = await import('../../tools/blz/toolset.ts');
  const data = configPlaces(frame).home;
  return createBlzToolset({ mask: createMask({ home: homedir(), project: frame.cwd, data }) });
}

export function blzServer(frame: Frame): ServerKind {
  return {
    offered: ['blz'],
    about: () => [ABOUT.blz],
    load: async () => [await loadBlzToolset(frame)],
    settings: { toolsets: ['blz'], ...(wantsDebug(frame.env) ? { verbose: true } : {}) },
  };
}

/** `BLZ_LOG=debug`, and the variable the specification names: `RUST_LOG=debug` or `RUST_LOG=blz_mcp=debug`. */
export function wantsDebug(env: Record<string, string | undefined>): boolean {
  return [env.BLZ_LOG, env.RUST_LOG].some((value) => /(^|[,=])(debug|trace)\b/i.test(value ?? ''));
}
