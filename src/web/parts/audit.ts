// Lines of the audit log as a table.

import { h } from '../core/dom.ts';
import { milliseconds } from '../core/format.ts';
import { row, table } from './figures.ts';

export interface AuditLine {
  time: string;
  event: string;
  key?: string;
  address?: string;
  tool?: string;
  touched?: Record<string, string>;
  ok?: boolean;
  ms?: number;
  reason?: string;
  action?: string;
  id?: string;
  by?: string;
  version?: string;
}

export function auditTable(lines: readonly AuditLine[]): HTMLElement {
  if (lines.length === 0) return h('p', { class: 'none' }, 'Nothing was written down yet.');
  const rows = lines.map((line) => {
    const isBad = line.event === 'denied' || line.ok === false;
    const cells = [line.event, line.key ?? line.by, what(line), line.address];
    return row(stamp(line.time), cells, { class: isBad ? 'bad' : '' });
  });
  const heads = ['Time', 'Event', 'Key', 'What', 'Address'];
  const element = table({ label: 'Audit log', heads }, rows);
  element.classList.add('tall');
  return element;
}

const stamp = (iso: string): string => iso.slice(0, 19).replace('T', ' ');

function what({ tool, touched, ok, ms, reason, action, id, version }: AuditLine): string {
  const names = Object.values(touched ?? {}).join(', ');
  const end = ok === undefined ? '' : `${ok ? 'done' : 'failed'} in ${milliseconds(ms ?? 0)}`;
  return [tool, action, id, names, reason, version && `version ${version}`, end].filter(Boolean).join(' · ');
}
