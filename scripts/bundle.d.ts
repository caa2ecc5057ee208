import type { Metafile } from 'esbuild';

export function bundle(entries: Record<string, string>, outdir: string): Promise<Metafile>;
