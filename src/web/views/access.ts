// Who may do what, and who did: keys, quotas, the audit log. For keys with the admin scope on everything.

import type { App, View } from '../app.ts';
import { button, choices, h, replace, viewFrame } from '../core/dom.ts';
import { auditTable, type AuditLine } from '../parts/audit.ts';
import { overview } from '../parts/collections.ts';
import { keysPanel } from '../parts/keys.ts';
import { busy, showError } from '../parts/notice.ts';
import { quotaPanel, type Limits } from '../parts/quotas.ts';

const EVENTS = [
  ['', 'All events'],
  ['call', 'Changes begun'],
  ['done', 'Changes ended'],
  ['denied', 'Refused'],
  ['key', 'Keys'],
  ['start', 'Starts'],
] as const;

export function accessView(app: App): View {
  const keys = keysPanel(app, () => changed());
  const log = h('div', {});
  const quotas = h('div', {});
  const event = h('select', { attrs: { 'aria-label': 'Events' } }, ...choices(EVENTS));
  const lede =
    'Each person or agent signs in with a key. Every change is recorded in the audit log before it is made.';
  const element = viewFrame(
    'access',
    { title: 'Access', lede, beside: [button('New key', () => keys.make(), { class: 'primary' })] },
    h('section', { class: 'panel' }, h('h2', {}, 'Keys'), keys.element),
    quotas,
    h('section', { class: 'panel' }, h('div', { class: 'panel-head' }, h('h2', {}, 'Audit log'), event), log),
  );

  async function loadQuotas(): Promise<void> {
    try {
      const [bounds, stored] = await Promise.all([app.server.admin<Limits>('limits'), overview(app)]);
      replace(quotas, quotaPanel(bounds, stored));
    } catch (error) {
      showError(quotas, error);
    }
  }

  async function loadLog(): Promise<void> {
    try {
      const wanted = event.value ? { event: event.value } : {};
      const { lines } = await app.server.admin<{ lines: AuditLine[] }>('audit', wanted);
      replace(log, auditTable(lines));
    } catch (error) {
      showError(log, error);
    }
  }

  function changed(): void {
    void keys.load();
    void loadLog();
  }

  event.addEventListener('change', () => void loadLog());
  return {
    element,
    title: 'Access',
    show() {
      for (const place of [keys.element, quotas, log]) if (!place.hasChildNodes()) replace(place, busy());
      changed();
      void loadQuotas();
    },
  };
}
