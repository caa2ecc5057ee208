// Folders of this machine that a caller over the network may add: only beneath those the operator opened in the
// configuration, and only for a key that may do everything. None are open unless the operator says so.

import { readdir, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, normalize, relative, sep } from 'node:path';
import { VaiError } from '../../domain/errors.ts';
import { requireEverything, type Call } from '../call.ts';
import type { EngineSettings } from '../deps.ts';
import { isInside } from '../inside.ts';

/** An open folder and what is directly beneath it, in the words `resolveOpen` takes. */
export interface OpenFolder {
  path: string;
  inside: string[];
  /** More are beneath it than are listed. */
  more: boolean;
}

const LISTED = 100;

export async function listOpen(settings: EngineSettings, call: Call): Promise<OpenFolder[]> {
  requireEverything(call.principal);
  const folders = settings.openFolders ?? [];
  return Promise.all(
    folders.map(async (folder) => {
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
      const names = entries
        .filter((entry) => entry.isDirectory() && !isHidden(entry.name))
        .map(({ name }) => name)
        .sort();
      const shown = labelOf(settings, folder);
      return {
        path: shown,
        inside: names.slice(0, LISTED).map((name) => `${shown}/${name}`),
        more: names.length > LISTED,
      };
    }),
  );
}

/** The real folder that is meant. Whatever is not open gets the same answer, whether it exists or not. */
export async function resolveOpen(settings: EngineSettings, call: Call, wanted: string): Promise<string> {
  requireEverything(call.principal);
  let missing = false;
  for (const folder of settings.openFolders ?? []) {
    const label = labelOf(settings, folder);
    const named = wanted === label || wanted.startsWith(`${label}/`);
    const path = named ? join(folder, wanted.slice(label.length)) : fromHome(settings, wanted);
    if (!isAbsolute(path) || !isInside(folder, normalize(path))) continue;
    const [real, root] = await Promise.all([realOf(path), realOf(folder)]);
    if (real === undefined || root === undefined) missing = true;
    else if (
      isInside(root, real) &&
      !relative(root, real).split(sep).some(isHidden) &&
      !(await isOurs(settings, real))
    )
      return real;
  }
  if (missing)
    throw new VaiError('FILE_UNREADABLE', `\`${wanted.slice(0, 200)}\` cannot be read.`, {
      hint: 'Check its spelling, and that the server may read it.',
    });
  throw new VaiError('NOT_ALLOWED', 'This folder is not open to keys of this server.', {
    hint: "The server's owner opens folders with `vai config set open-folders`. Hidden folders and the server's own data stay closed.",
  });
}

/** `~/…` as its owner writes it; elsewhere the last name alone, for the path is nobody's business. */
function labelOf({ folders, openFolders }: EngineSettings, path: string): string {
  if (!folders || !isInside(folders.home, path)) {
    const twin = openFolders?.some((other) => other !== path && basename(other) === basename(path));
    return twin ? `${basename(dirname(path))}/${basename(path)}` : basename(path);
  }
  return ['~', ...relative(folders.home, path).split(sep)].filter(Boolean).join('/');
}

const fromHome = ({ folders }: EngineSettings, path: string): string =>
  folders && path.startsWith('~/') ? join(folders.home, path.slice(2)) : path;

const realOf = (path: string): Promise<string | undefined> => realpath(path).catch(() => undefined);

const isHidden = (name: string): boolean => name.startsWith('.') || name === 'node_modules';

/** Keys, sign-ins and databases are no documents, wherever the operator keeps them. */
async function isOurs({ folders }: EngineSettings, path: string): Promise<boolean> {
  const data = folders && (await realOf(folders.data));
  return data !== undefined && (isInside(data, path) || isInside(path, data));
}
