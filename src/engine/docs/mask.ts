// Paths of this machine as a client may see them: `~/…`, `<project>/…`, `<data>/…`, else only the last name. Retrieved
// text is never touched: it is quoted exactly.

import { withoutTrailing } from '../../domain/text.ts';
import type { Call } from '../call.ts';
import type { EngineSettings } from '../deps.ts';

export type Mask = (text: string) => string;

export function createMask(folders: EngineSettings['folders']): Mask {
  if (!folders) return (text) => text;
  // The longest folder first: the data folder usually lies inside the home folder.
  const shown = [
    [folders.data, '<data>'],
    [folders.project, '<project>'],
    [folders.home, '~'],
  ]
    .map(([folder, name]) => [withoutTrailing(folder!, '/\\'), name!] as const)
    .filter(([folder]) => folder.length > 1)
    .sort((a, b) => b[0].length - a[0].length);
  return (text) => {
    let clean = text;
    for (const [folder, name] of shown) clean = replaceFolder(clean, folder, name);
    return clean;
  };
}

/** What this caller may see of paths in a message. */
export function maskFor({ folders }: Pick<EngineSettings, 'folders'>, call: Pick<Call, 'atTerminal'>): Mask {
  return createMask(call.atTerminal ? undefined : folders);
}

/** A file or folder as this caller may see it. */
export function shownTo(
  { folders }: Pick<EngineSettings, 'folders'>,
  call: Pick<Call, 'atTerminal'>,
  path: string,
): string {
  return call.atTerminal ? path : shownLocation(createMask(folders), path);
}

/** Replaces a folder where it stands as a whole name, not as the beginning of another. */
function replaceFolder(text: string, folder: string, name: string): string {
  let result = '';
  let from = 0;
  for (let at = text.indexOf(folder); at !== -1; at = text.indexOf(folder, from)) {
    const end = at + folder.length;
    const whole = !/[\w.-]/.test(text[end] ?? '') && !/[\w.~-]/.test(text[at - 1] ?? '');
    result += text.slice(from, at) + (whole ? name : folder);
    from = end;
  }
  return result + text.slice(from);
}

/** A file or folder that a source is read from. */
export function shownLocation(mask: Mask, path: string): string {
  const clean = mask(path);
  if (clean !== path) return clean;
  const parts = path.split(/[/\\]/).filter(Boolean);
  return parts.at(-1) ?? path;
}
