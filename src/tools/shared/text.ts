// Small texts that every toolset prints the same way.

import { collapseSpace } from '../../domain/text.ts';

export { count, plural } from '../../domain/text.ts';

/** One line, at most so long, safe between other words. */
export function oneLine(text: string, limit = 200): string {
  return clip(collapseSpace(text).trim(), limit);
}

/** What an answer warns of, a line each. */
export const notes = (warnings: readonly string[], limit = 400): string[] =>
  warnings.map((warning) => `Note: ${oneLine(warning, limit)}`);

/** Truncated to a length without splitting a surrogate pair, with an ellipsis. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${head(text, limit - 1)}…`;
}

/** The first characters, never half a pair. */
export function head(text: string, length: number): string {
  const end = Math.max(0, length);
  const code = text.charCodeAt(end - 1);
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? end - 1 : end);
}

/** Cents; something is never shown as nothing. */
export function dollars(value: number): string {
  if (value > 0 && value < 0.01) return '<$0.01';
  return `$${value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}

/** `6.1 kB`, `61 MB`. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** Rows of cells as a Markdown table; cells are made safe for it. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => oneLine(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(header), `|${header.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}
