// Work that goes on at the server whether this page is open or not: what it is, how far, and what came of it.

export interface Job {
  id: string;
  action: string;
  collection?: string;
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled' | 'interrupted';
  dueAt?: string;
  progress?: { done: number; total?: number; message?: string };
  result?: Record<string, unknown>;
  error?: { message: string; hint?: string };
  updatedAt: string;
}

export const isOpen = ({ state }: Job): boolean => state === 'waiting' || state === 'running';

const DOING: Record<string, string> = {
  refresh: 'Refreshing',
  graph: 'Building the graph of',
  evaluate: 'Measuring',
  check: 'Checking',
  add: 'Adding',
  'add-folder': 'Adding',
  delete: 'Deleting',
};

const DONE: Record<string, string> = {
  refresh: 'Refreshed',
  graph: 'Built the graph of',
  evaluate: 'Measured',
  check: 'Checked',
  add: 'Added',
  'add-folder': 'Added',
  delete: 'Deleted',
};

/** In words, as of now. */
export function jobTitle(job: Job, now: number): string {
  const what = job.collection ?? '';
  if (job.state === 'waiting') {
    const seconds = Math.max(0, Math.ceil((Date.parse(job.dueAt ?? '') - now) / 1000));
    return `${DOING[job.action] ?? job.action} ${what} in ${seconds} s`;
  }
  if (job.state === 'running') return `${DOING[job.action] ?? job.action} ${what}`;
  if (job.state === 'done') return `${DONE[job.action] ?? job.action} ${what}`;
  const ends = { failed: 'failed', cancelled: 'was cancelled', interrupted: 'was interrupted' };
  return `${DOING[job.action] ?? job.action} ${what} ${ends[job.state]}`;
}

/** What came of it, in one sentence; empty where the title says it all. */
export function jobOutcome({ action, state, result, error }: Job): string {
  if (error) return [error.message, error.hint].filter(Boolean).join(' ');
  if (state === 'interrupted')
    return 'The server ended or was restarted meanwhile. Nothing was left half done; start it again.';
  if (state !== 'done' || !result) return '';
  switch (action) {
    case 'refresh': {
      const { status, message, before, after } = result as unknown as Refreshed;
      if (status === 'unchanged') return 'Nothing has changed.';
      if (status === 'refreshed') return `${before.totalLines} lines became ${after.totalLines}.`;
      return message;
    }
    case 'graph': {
      const { totals } = result as unknown as { totals: { entities: number; relations: number } };
      const thin = totals.relations < totals.entities / 10 ? ' Few relations are stated in these texts.' : '';
      return `${totals.entities} entities, ${totals.relations} relations.${thin}`;
    }
    case 'check': {
      const { reports } = result as unknown as { reports: { status: string; issues: string[] }[] };
      return reports.flatMap((one) => one.issues).join(' ') || 'Everything stored is whole.';
    }
    case 'add':
    case 'add-folder': {
      const { metadata } = result as unknown as { metadata: { totalLines: number; headings: number } };
      return `${metadata.totalLines} lines, ${metadata.headings} headings.`;
    }
    case 'delete': {
      const { documents } = result as unknown as { documents: number };
      return `${documents} ${documents === 1 ? 'document' : 'documents'} removed.`;
    }
    default:
      return '';
  }
}

interface Refreshed {
  status: string;
  message: string;
  before: { totalLines: number };
  after: { totalLines: number };
}

/** A refresh that was answered and did not work. */
export const wentWrong = (job: Job): boolean =>
  ['failed', 'interrupted'].includes(job.state) ||
  (job.action === 'refresh' && ['error', 'held'].includes(String(job.result?.['status'])));
