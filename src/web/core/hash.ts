// The address of a view lives in the URL's hash, so that back, reload and links work. The key is never part of it.

export const VIEWS = [
  'search',
  'collections',
  'add',
  'graph',
  'health',
  'access',
  'doc',
  'contents',
] as const;
export type ViewName = (typeof VIEWS)[number];

export interface Place {
  view: ViewName;
  params: Record<string, string>;
}

export function parseHash(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const view = VIEWS.find((name) => name === path) ?? 'search';
  return { view, params: Object.fromEntries(new URLSearchParams(query)) };
}

export function formatHash(view: ViewName, params: Record<string, string | undefined> = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) if (value) query.set(name, value);
  const text = query.toString();
  return `#/${view}${text ? `?${text}` : ''}`;
}
