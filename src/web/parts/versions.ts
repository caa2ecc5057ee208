// Older texts of a source that are kept, and what changed from one of them until now, section by section.

import type { App } from '../app.ts';
import type { Citation } from '../core/citation.ts';
import { button, choices, h, hint, link, replace } from '../core/dom.ts';
import { ago, plural } from '../core/format.ts';
import { formatHash } from '../core/hash.ts';
import { showDialog } from './dialog.ts';
import { busy, showError } from './notice.ts';

export interface Version {
  sha256: string;
  fetchedAt: string;
  lines: number;
}

interface Section {
  headingPath: string[];
  lines?: string;
  from?: string;
  to?: string;
}

interface Changes {
  changed: Section[];
  added: Section[];
  removed: Section[];
  moved: Section[];
}

const SHOWN = 50;

/** None for a document of many, and where the key may not ask. */
export async function loadVersions(app: App, at: Citation): Promise<Version[]> {
  if (!app.may('versions') || at.path !== '') return [];
  const { versions } = await app.server.admin<{ versions: Version[] }>('versions', {
    collection: at.collection,
  });
  return versions;
}

export function showVersions(app: App, collection: string, versions: readonly Version[]): void {
  const changes = h('div', { class: 'changes', attrs: { 'aria-live': 'polite' } });
  const choose = h(
    'select',
    { attrs: { 'aria-label': 'Compare with' } },
    ...choices(
      versions.map(({ sha256, fetchedAt, lines }) => [
        sha256,
        `${fetchedAt.slice(0, 16).replace('T', ' ')}, ${ago(fetchedAt, Date.now())}, ${plural(lines, 'line')}`,
      ]),
    ),
  );
  const load = async (): Promise<void> => {
    replace(changes, busy());
    try {
      const answer = await app.server.admin<Changes>('changes', {
        collection,
        rev: choose.value.slice(0, 16),
      });
      replace(changes, ...sections(answer, (lines) => formatHash('doc', { cite: `${collection}:${lines}` })));
    } catch (error) {
      showError(changes, error);
    }
  };
  choose.addEventListener('change', () => void load());
  const dialog = showDialog(
    'What changed',
    hint('From an older text of this source until now, by section.'),
    choose,
    changes,
    button('Close', () => dialog.close(), { class: 'quiet' }),
  );
  changes.addEventListener('click', (event) => {
    if ((event.target as Element).closest('a')) dialog.close();
  });
  void load();
}

function sections({ changed, added, removed, moved }: Changes, at: (lines: string) => string): HTMLElement[] {
  const group = (title: string, list: readonly Section[]): HTMLElement[] => {
    if (list.length === 0) return [];
    const row = ({ headingPath, lines, to }: Section): HTMLElement => {
      const place = to ?? (title === 'Gone' ? undefined : lines);
      const name = headingPath.join(' › ') || 'Beginning';
      return h('li', {}, place ? link(name, at(place)) : name);
    };
    const more = list.length - SHOWN;
    return [
      h('h3', {}, `${title} (${list.length})`),
      h('ul', {}, ...list.slice(0, SHOWN).map(row)),
      ...(more > 0 ? [hint(`and ${plural(more, 'more section')}`)] : []),
    ];
  };
  const shown = [
    ...group('Changed', changed),
    ...group('New', added),
    ...group('Gone', removed),
    ...group('Moved', moved),
  ];
  return shown.length ? shown : [h('p', { class: 'none' }, 'No section has changed.')];
}
