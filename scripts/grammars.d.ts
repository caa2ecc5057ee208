export function packGrammars(outdir: string): void;
export function grammarLicences(): string[];
