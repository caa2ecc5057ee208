// What the server is working on, with how far it is, a way to stop it, and what came of it. It is asked again and again
// while something is under way, so whoever comes back to the page sees where things stand.

import type { App } from '../app.ts';
import { button, h, hint, link, replace, type Child } from '../core/dom.ts';
import { ago } from '../core/format.ts';
import { formatHash } from '../core/hash.ts';
import { isOpen, jobOutcome, jobTitle, wentWrong, type Job } from '../core/jobs.ts';
import { evaluationChart, type Evaluation } from './evaluation.ts';
import { errorBox } from './notice.ts';

const EVERY_MS = 1_000;
const SHOWN = 6;
/** Ended longer ago than this, a job is no news. */
const NEWS_MS = 3_600_000;

export interface Activity {
  element: HTMLElement;
  /** Begins something and shows it. */
  start(action: string, input: Record<string, unknown>): Promise<void>;
  show(): void;
  hide(): void;
}

/** `onEnd` is told when something has ended that may have changed what there is. */
export function activity(app: App, onEnd: (job: Job) => void): Activity {
  const list = h('ul', { class: 'jobs', attrs: { 'aria-label': 'Activity' } });
  const problem = h('div', {});
  const element = h('div', { class: 'activity' }, problem, list);
  const open = new Set<string>();
  const dismissed = new Set<string>();
  let timer = 0;
  let shown = false;
  let latest = 0;

  async function look(): Promise<void> {
    clearTimeout(timer);
    const mine = (latest += 1);
    const { jobs } = await app.server.admin<{ jobs: Job[] }>('jobs');
    // An answer that a later question has overtaken may not know the newest job.
    if (mine !== latest) return;
    for (const job of jobs) {
      if (isOpen(job)) open.add(job.id);
      else if (open.delete(job.id)) {
        app.announce(jobTitle(job, Date.now()));
        onEnd(job);
      }
    }
    draw(jobs);
    if (shown && jobs.some(isOpen)) timer = window.setTimeout(() => void look().catch(failed), EVERY_MS);
  }

  function failed(error: unknown): void {
    replace(problem, errorBox(error));
    // The server may be back in a moment.
    if (shown && open.size > 0) timer = window.setTimeout(() => void look().catch(failed), 5 * EVERY_MS);
  }

  function draw(jobs: readonly Job[]): void {
    const now = Date.now();
    replace(problem);
    const news = jobs.filter(
      (job) => !dismissed.has(job.id) && (isOpen(job) || now - Date.parse(job.updatedAt) < NEWS_MS),
    );
    replace(list, ...news.slice(0, SHOWN).map((job) => row(job, now)));
  }

  function row(job: Job, now: number): HTMLElement {
    const words = jobOutcome(job);
    const state = isOpen(job) ? 'open' : wentWrong(job) ? 'bad' : job.state;
    return h(
      'li',
      { class: `job-row ${state}`, data: { action: job.action, state: job.state } },
      h(
        'div',
        { class: 'job-head' },
        h('strong', {}, jobTitle(job, now)),
        isOpen(job) ? null : h('span', { class: 'hint' }, ago(job.updatedAt, now)),
        h('span', { class: 'job-tools' }, ...tools(job)),
      ),
      ...bar(job),
      words ? hint(words) : null,
      job.action === 'evaluate' && job.state === 'done'
        ? evaluationChart(job.result as unknown as Evaluation)
        : null,
    );
  }

  function tools(job: Job): Child[] {
    if (!isOpen(job)) {
      const there = job.state === 'done' && job.action !== 'delete' && job.collection;
      return [
        there ? link(`Search ${job.collection!}`, formatHash('search', { c: job.collection })) : null,
        button('Dismiss', () => (dismissed.add(job.id), void look().catch(failed)), { class: 'linkish' }),
      ];
    }
    const label = job.action === 'delete' ? 'Undo' : 'Cancel';
    // Once a deletion has begun there is nothing to take back.
    if (job.action === 'delete' && job.state === 'running') return [];
    const cancel = (): void => {
      app.server
        .admin<{ cancelled: boolean }>('jobs-cancel', { id: job.id })
        .then(({ cancelled }) => {
          app.announce(cancelled ? 'Called off' : 'Too late to call it off');
          return look();
        })
        .catch(failed);
    };
    return [button(label, cancel, { class: 'quiet' })];
  }

  return {
    element,
    async start(action, input) {
      try {
        const { job } = await app.server.admin<{ job: Job }>(action, input);
        open.add(job.id);
        await look();
      } catch (error) {
        failed(error);
      }
    },
    show() {
      shown = true;
      void look().catch(failed);
    },
    hide() {
      shown = false;
      clearTimeout(timer);
    },
  };
}

function bar({ state, progress, action }: Job): Child[] {
  if (state !== 'running') return [];
  const element = h('progress', { attrs: { 'aria-label': `Progress of ${action}` } });
  if (progress?.total) {
    element.max = progress.total;
    element.value = progress.done;
  }
  const count = progress?.total ? `${progress.done} of ${progress.total}` : '';
  const words = [progress?.message, count].filter(Boolean).join(' · ');
  return [element, words ? h('p', { class: 'job-words' }, words) : null];
}
