// Which sources a search names: exact first, then a unique match that differs only in case. An unknown one is an error
// when it is the only one, else a notice.

import { VaiError } from '../../domain/errors.ts';
import { didYouMean, nearest } from '../../domain/nearest.ts';
import type { CiteNotice } from '../cite/types.ts';
import { matchCollection, type CollectionView } from '../scope.ts';

/** Undefined: all of them. */
export function chooseSources(
  visible: readonly CollectionView[],
  source: string | readonly string[] | undefined,
  notices: CiteNotice[],
): string[] | undefined {
  const wanted = (typeof source === 'string' ? [source] : (source ?? [])).map((name) => name.trim());
  if (wanted.length === 0 || wanted.includes('all')) return undefined;
  const names = visible.map((collection) => collection.name);
  const chosen = new Set<string>();
  const unknown: VaiError[] = [];
  for (const name of wanted) {
    const found = match(names, name);
    if (found === undefined) unknown.push(sourceNotFound(name, names));
    else {
      chosen.add(found);
      if (found !== name) notices.push(readAs(name, found));
    }
  }
  if (chosen.size === 0) throw unknown[0]!;
  for (const { messageAndHint } of unknown)
    notices.push({ code: 'source_not_found', message: messageAndHint });
  return [...chosen];
}

function match(names: readonly string[], wanted: string): string | undefined {
  const exact = names.find((name) => name === wanted);
  if (exact) return exact;
  const folded = names.filter((name) => name.toLowerCase() === wanted.toLowerCase());
  if (folded.length === 1) return folded[0];
  // The alias of a hit in a collection of many files names the file as well.
  const slash = wanted.indexOf('/');
  return slash > 0 ? match(names, wanted.slice(0, slash)) : undefined;
}

function readAs(name: string, found: string): CiteNotice {
  const message = name.includes('/') ? `Searched all of \`${found}\`.` : `Read \`${name}\` as \`${found}\`.`;
  return { code: 'alias_case', message, alias: found };
}

/** The one source that was named. */
export function pickSource(visible: readonly CollectionView[], alias: string): CollectionView {
  const found = matchCollection(visible, alias);
  if (found) return found;
  throw sourceNotFound(
    alias,
    visible.map((collection) => collection.name),
  );
}

function sourceNotFound(name: string, names: readonly string[]): VaiError {
  const suggestions = nearest(name, names);
  return new VaiError('SOURCE_NOT_FOUND', `There is no source \`${name.slice(0, 120)}\`.`, {
    hint:
      didYouMean(suggestions) ??
      (names.length
        ? `Installed: ${names.slice(0, 10).join(', ')}${names.length > 10 ? ` and ${names.length - 10} more` : ''}.`
        : 'Nothing is installed yet; add a source with source-add.'),
    suggestions,
  });
}
