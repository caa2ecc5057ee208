import type { Metafile } from 'esbuild';

/** Builds the page into a folder, `dist/web` unless another is named; what went into it. */
export function buildWeb(out?: string): Promise<Metafile>;
