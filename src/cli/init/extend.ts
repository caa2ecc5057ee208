// Extends the text of a .vai.json with a proposal. Existing entries stay: entries are only added.

import { isObject } from '../../domain/object.ts';
import { isInside } from '../../engine/inside.ts';
import { usage } from '../frame.ts';
import type { Proposal } from '../../engine/project/propose.ts';

interface Extended {
  text: string;
  /** Names of the added entries; empty if the text is unchanged. */
  added: string[];
}

export function extendProject(before: string | undefined, proposal: Proposal): Extended {
  const file = before === undefined ? { version: 1, collection: proposal.name } : parse(before);
  const folders = listOf(file, 'folders');
  const sources = listOf(file, 'sources');
  const known = new Set(
    sources.map((entry) => (isObject(entry) ? String(entry['alias']) : String(entry)).toLowerCase()),
  );
  // Folders in each other would store what they share twice; which of them is meant, its author has said.
  const isKnown = (path: string): boolean =>
    folders.map(String).some((listed) => isInside(listed, path) || isInside(path, listed));
  const newFolders = proposal.folders.map(({ path }) => path).filter((path) => !isKnown(path));
  // A source cannot be called as the collection of the project's own texts.
  known.add(String(file['collection']).toLowerCase());
  const newSources = proposal.sources.filter(({ alias }) => !known.has(alias.toLowerCase()));
  const added = [...newFolders, ...newSources.map(({ alias }) => alias)];
  if (before !== undefined && added.length === 0) return { text: before, added };
  const extended = {
    ...file,
    folders: [...folders, ...newFolders],
    sources: [
      ...sources,
      ...newSources.map(({ alias, package: name, version }) => ({
        alias,
        package: name,
        ...(version ? { version } : {}),
      })),
    ],
  };
  const indent = /^\{\s*?\n([ \t]+)/.exec(before ?? '')?.[1] ?? '  ';
  return {
    text: `${JSON.stringify(extended, null, indent)}\n`,
    added: before === undefined ? [proposal.name, ...added] : added,
  };
}

function parse(text: string): Record<string, unknown> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    parsed = undefined;
  }
  if (isObject(parsed)) return parsed;
  throw usage('The existing .vai.json is not a JSON object.', 'Correct it, or move it elsewhere.');
}

function listOf(file: Record<string, unknown>, name: string): unknown[] {
  const value = file[name] ?? [];
  if (Array.isArray(value)) return value;
  throw usage(`\`${name}\` in the existing .vai.json is not a list.`, 'Correct it, or move it elsewhere.');
}
