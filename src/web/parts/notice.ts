// Boxes that say what is missing or went wrong, and what to do next.

import { h, replace, type Child } from '../core/dom.ts';
import { isAbort, ServerError } from '../core/server.ts';

export function errorBox(error: unknown): HTMLElement {
  const known = error instanceof ServerError ? error : undefined;
  const message = known?.message ?? 'Something on this page went wrong.';
  return h(
    'div',
    { class: 'notice bad', attrs: { role: 'alert' } },
    h('p', { class: 'notice-title' }, message),
    known?.hint ? h('p', {}, withCode(known.hint)) : null,
    known?.suggestions.length ? h('p', {}, `Did you mean ${known.suggestions.join(', ')}?`) : null,
  );
}

/** Shows the error in place of what could not be loaded; an abandoned call shows nothing. */
export function showError(place: Element, error: unknown): void {
  if (!isAbort(error)) replace(place, errorBox(error));
}

export function empty(title: string, ...children: Child[]): HTMLElement {
  return h('div', { class: 'empty' }, h('h2', {}, title), ...children);
}

export function warnings(list: readonly string[] | undefined): HTMLElement | null {
  if (!list?.length) return null;
  return h('ul', { class: 'warnings' }, ...list.slice(0, 4).map((text) => h('li', {}, withCode(text))));
}

export function busy(label = 'Loading…'): HTMLElement {
  return h('p', { class: 'busy', attrs: { role: 'status' } }, label);
}

/** Text with `commands` set apart. */
export function withCode(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  text.split(/`([^`]+)`/).forEach((part, at) => fragment.append(at % 2 ? h('code', {}, part) : part));
  return fragment;
}
