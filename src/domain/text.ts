// How texts are compared: one order for all sorting, and what counts as the same.

/** By code units: the same on every machine, whatever its language. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The same but for case. */
export function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** The same but for case and accents. */
export function foldAccents(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
