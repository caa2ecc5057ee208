import type { BuildOptions, Metafile } from 'esbuild';

/** What every bundle has in common, also those that a benchmark sets beside ours. */
export const SETTINGS: BuildOptions;

export function bundle(entries: Record<string, string>, outdir: string): Promise<Metafile>;
