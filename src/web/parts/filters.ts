// Narrows what a search found: by version, which the server is asked for, and by kind and path, which are looked at here.

import { choices, h, replace } from '../core/dom.ts';
import type { Hit } from './retrieve.ts';

/** Kinds of documents by how their path ends; a source of one text has no path and is prose. */
const KINDS: Record<string, RegExp> = {
  prose: /(?:^|\.(?:md|mdx|markdown|txt|rst|adoc|html?|docx|odt))$/i,
  code: /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|c|cc|cpp|h|hpp|cs|rb|php|swift|scala|sh|bash|lua|sql|ex|exs|zig|vue|svelte)$/i,
  pdf: /\.pdf$/i,
  data: /\.(?:json|ya?ml|toml|csv|xml|ipynb)$/i,
};

export interface Filters {
  element: HTMLElement;
  fits: (hit: Hit) => boolean;
  version: () => string;
  choose(version: string): void;
  /** Versions there are to choose from. */
  offer(versions: readonly string[]): void;
}

export function filters(onNarrow: () => void, onVersion: () => void): Filters {
  const kind = h(
    'select',
    { attrs: { 'aria-label': 'Kind' } },
    ...choices([['', 'All kinds'], ...Object.keys(KINDS).map((name) => [name, name] as const)]),
  );
  const version = h('select', { attrs: { 'aria-label': 'Version', hidden: true } });
  const path = h('input', {
    class: 'path-filter',
    attrs: {
      type: 'search',
      placeholder: 'Path contains…',
      'aria-label': 'Path contains',
      autocomplete: 'off',
      spellcheck: 'false',
    },
  });
  let chosen = '';
  let known: string[] = [];

  function drawVersions(): void {
    const all = [...new Set([...known, ...(chosen ? [chosen] : [])])].sort((a, b) =>
      b.localeCompare(a, 'en', { numeric: true }),
    );
    version.hidden = all.length === 0;
    replace(version, ...choices([['', 'All versions'], ...all.map((one) => [one, one] as const)], chosen));
  }

  kind.addEventListener('change', onNarrow);
  path.addEventListener('input', onNarrow);
  version.addEventListener('change', () => {
    chosen = version.value;
    onVersion();
  });
  return {
    element: h('div', { class: 'filter-bar' }, version, kind, path),
    fits(hit) {
      const wanted = path.value.trim().toLowerCase();
      const name = hit.key.replace(/:\d+(?:-\d+)?$/, '');
      const file = name.includes('/') ? name : '';
      return hit.key.toLowerCase().includes(wanted) && (!kind.value || KINDS[kind.value]!.test(file));
    },
    version: () => chosen,
    choose(wanted) {
      chosen = wanted;
      drawVersions();
    },
    offer(versions) {
      known = [...versions];
      drawVersions();
    },
  };
}
