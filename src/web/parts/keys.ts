// The keys of the server as a table, and what an administrator does with one: make, limit, rotate, revoke.

import type { App } from '../app.ts';
import { button, choices, field, h, paragraph, replace, type Child } from '../core/dom.ts';
import { ago, count } from '../core/format.ts';
import { openDialog } from './dialog.ts';
import { row, table } from './figures.ts';
import { showError } from './notice.ts';
import { dollars, type Limits } from './quotas.ts';

interface Key {
  id: string;
  name: string;
  owner?: string;
  scopes: string[];
  collections: '*' | string[];
  rate?: number;
  /** Dollars a day for hosted models, and what of it is gone; where the server counts it. */
  spending?: number;
  spentToday?: number;
  expires?: string;
  lastUsed?: string;
}

export interface Keys {
  element: HTMLElement;
  load(): Promise<void>;
  /** Asks for the bounds of a new key. */
  make(): void;
}

const SCOPES = ['read', 'write', 'admin'];

/** `onChange` is told when a key was made, changed or taken away. */
export function keysPanel(app: App, onChange: () => void): Keys {
  const element = h('div', {});
  let server: Limits['server'] | undefined;

  async function load(): Promise<void> {
    try {
      const [answer, bounds] = await Promise.all([
        app.server.admin<{ keys: Key[]; own: string }>('keys'),
        app.server.admin<Limits>('limits'),
      ]);
      server = bounds.server;
      const spent = server.spending === undefined ? [] : ['Spent today'];
      const heads = ['Key', 'Scopes', 'Collections', 'Rate', ...spent, 'Expires', 'Last used', ''];
      const rows = answer.keys.map((key) => keyRow(key, key.id === answer.own));
      replace(element, table({ label: 'Keys', heads, className: 'keys' }, rows));
    } catch (error) {
      showError(element, error);
    }
  }

  function keyRow(key: Key, isOwn: boolean): HTMLElement {
    const now = Date.now();
    const over = key.expires !== undefined && Date.parse(key.expires) <= now;
    const cell = (label: string, text: string): HTMLElement => h('td', { data: { label } }, text);
    const label = key.name || key.id;
    const tool = (what: string, run: () => void, more = ''): HTMLElement =>
      button(what, run, { class: `linkish ${more}`, attrs: { 'aria-label': `${what} ${label}` } });
    const name = h('th', { attrs: { scope: 'row' } }, key.name || 'unnamed');
    const known = [key.id, key.owner, isOwn ? 'yours' : ''].filter(Boolean).join(' · ');
    name.append(h('span', { class: 'hint' }, known));
    const spends = server?.spending;
    const cells = [
      cell('Scopes', key.scopes.join(', ') || 'nothing'),
      cell('Collections', key.collections === '*' ? 'all' : key.collections.join(', ')),
      cell('Rate', perMinute(key.rate ?? server?.rate ?? 0)),
      spends === undefined
        ? null
        : cell('Spent today', `${dollars(key.spentToday ?? 0)} of ${dollars(key.spending ?? spends)}`),
      cell('Expires', key.expires === undefined ? 'never' : over ? 'expired' : key.expires.slice(0, 10)),
      cell('Last used', isOwn ? 'now' : key.lastUsed ? ago(key.lastUsed, now) : 'never'),
      h(
        'td',
        { class: 'row-tools' },
        tool('Limit', () => limit(key)),
        tool('Rotate', () => rotate(key)),
        tool('Revoke', () => revoke(key, isOwn), 'danger'),
      ),
    ];
    return row(name, cells, { class: over ? 'over' : '', data: { id: key.id } });
  }

  function make(): void {
    const name = h('input', {
      attrs: { maxlength: 100, autocomplete: 'off', placeholder: 'what it is for' },
    });
    const owner = h('input', { attrs: { maxlength: 100, autocomplete: 'off' } });
    const bounds = limitFields(['read'], server);
    openDialog({
      title: 'New key',
      body: [field('Name', name), field('Owner', owner, 'Who answers for it. Optional.'), ...bounds.fields],
      action: 'Make key',
      run: async () => {
        const { key } = await app.server.admin<{ key: string }>('keys-make', {
          name: name.value.trim() || undefined,
          owner: owner.value.trim() || undefined,
          ...bounds.read(),
        });
        onChange();
        return shownOnce(key);
      },
    });
  }

  function limit(key: Key): void {
    const bounds = limitFields(key.scopes, server, key);
    openDialog({
      title: `Limit ${key.name || key.id}`,
      body: bounds.fields,
      action: 'Save',
      run: async () => {
        await app.server.admin('keys-limit', { id: key.id, ...bounds.read() });
        onChange();
      },
    });
  }

  function rotate({ id, name }: Key): void {
    const spans = [
      ['7d', 'a week'],
      ['1d', 'a day'],
      ['1h', 'an hour'],
      ['0h', 'not at all'],
    ] as const;
    const grace = h('select', {}, ...choices(spans));
    openDialog({
      title: `Rotate ${name || id}`,
      body: [
        paragraph(
          'A new key with the same rights. The old one stays valid for a while, so that its users can switch.',
        ),
        field('The old key stays valid', grace),
      ],
      action: 'Rotate',
      run: async () => {
        const made = await app.server.admin<{ key: string }>('keys-rotate', { id, grace: grace.value });
        onChange();
        return shownOnce(made.key);
      },
    });
  }

  function revoke({ id, name }: Key, isOwn: boolean): void {
    openDialog({
      title: `Revoke ${name || id}?`,
      body: [
        paragraph(
          isOwn
            ? 'You are signed in with this key: you will be signed out at once.'
            : 'Whoever uses it is refused from now on, and browsers signed in with it are signed out.',
        ),
      ],
      action: 'Revoke',
      danger: true,
      run: async () => {
        await app.server.admin('keys-revoke', { id });
        onChange();
      },
    });
  }

  return { element, load, make };
}

const perMinute = (rate: number): string => (rate === 0 ? 'unlimited' : `${count(rate)}/min`);

/** The bounds of a key as fields; what is left empty is left as it is. */
function limitFields(
  chosen: readonly string[],
  server: Limits['server'] | undefined,
  known?: Key,
): { fields: HTMLElement[]; read: () => Record<string, unknown> } {
  const boxes = SCOPES.map((scope) => ({
    scope,
    box: h('input', { attrs: { type: 'checkbox', value: scope, checked: chosen.includes(scope) } }),
  }));
  const collections = h('input', {
    attrs: {
      autocomplete: 'off',
      placeholder: 'all',
      value: known && known.collections !== '*' ? known.collections.join(', ') : undefined,
    },
  });
  const rate = h('input', { attrs: { type: 'number', min: 1, max: 10_000_000, value: known?.rate } });
  const spending = h('input', {
    attrs: { type: 'number', min: 0, max: 1_000_000, step: 'any', value: known?.spending },
  });
  const expires = h('input', { attrs: { type: 'date', value: known?.expires?.slice(0, 10) } });
  // A limit that is not named stays as it is.
  const empty = (otherwise: string): string => (known ? 'Empty: unchanged.' : `Empty: ${otherwise}.`);
  return {
    fields: [
      h(
        'fieldset',
        { class: 'scopes' },
        h('legend', {}, 'Scopes'),
        ...boxes.map(({ scope, box }) => h('label', { class: 'check' }, box, scope)),
      ),
      field('Collections', collections, 'Names separated by commas. Empty: all collections.'),
      field('Requests per minute', rate, empty('the default of the server')),
      ...(server?.spending === undefined
        ? []
        : [field('US dollars per day for hosted models', spending, empty('the default of the server'))]),
      field('Expires', expires, empty('never')),
    ],
    read() {
      const names = collections.value.split(',').map((name) => name.trim());
      const wanted = names.filter(Boolean);
      return {
        scopes: boxes.filter(({ box }) => box.checked).map(({ scope }) => scope),
        collections: wanted.length ? wanted : ['*'],
        rate: rate.value ? Number(rate.value) : undefined,
        spending: spending.value ? Number(spending.value) : undefined,
        expires: expires.value && expires.value !== known?.expires?.slice(0, 10) ? expires.value : undefined,
      };
    },
  };
}

function shownOnce(key: string): Child[] {
  const shown = h('input', {
    class: 'key-shown',
    attrs: { readonly: true, value: key, 'aria-label': 'The key', spellcheck: 'false' },
    on: { focus: () => shown.select() },
  });
  const copy = button('Copy', () => {
    void navigator.clipboard?.writeText(key).catch(() => shown.select());
    copy.textContent = 'Copied';
  });
  return [
    h(
      'p',
      { attrs: { role: 'status' } },
      'Copy the key now. It is kept as a digest and cannot be shown again.',
    ),
    h('p', { class: 'key-row' }, shown, copy),
  ];
}
