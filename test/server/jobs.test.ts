// Jobs in one folder that two servers share.

import assert from 'node:assert/strict';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { VaiError } from '../../src/domain/errors.ts';
import { LOCAL } from '../../src/engine/call.ts';
import { createJobs, JOB_FOLDER, type Job, type Jobs } from '../../src/server/jobs.ts';
import { until } from '../support/wait.ts';
import { tempFolder } from '../support/temp-folder.ts';

const home = tempFolder('jobs');
let clock = Date.now();
const make = (): Jobs => createJobs({ home, now: () => new Date(clock), track: (work) => work });

const never = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_, reject) =>
    signal!.addEventListener('abort', () => reject(new VaiError('CANCELLED', 'stopped'))),
  );
const start = (jobs: Jobs, more: Partial<Parameters<Jobs['start']>[0]> = {}): Job =>
  jobs.start({ action: 'test', principal: LOCAL, ended: () => {}, run: async () => ({ done: 1 }), ...more });
const seen = (jobs: Jobs, id: string): Job => jobs.list(LOCAL).find((one) => one.id === id)!;

it('a job that waited is carried out, and can then no longer be cancelled', async () => {
  const jobs = make();
  let ran = false;
  const { id } = start(jobs, {
    delayMs: 1,
    run: async () => {
      assert.equal(jobs.cancel(LOCAL, id), false);
      ran = true;
      return {};
    },
  });
  await until(async () => seen(jobs, id).state === 'done');
  assert.ok(ran);
});

it('another server sees its progress and cancels it', async () => {
  const [here, there] = [make(), make()];
  const results: boolean[] = [];
  const { id } = start(here, {
    collection: 'docs',
    ended: (ok) => void results.push(ok),
    run: ({ signal, progress }) => {
      progress!({ done: 3, total: 9, message: 'reading' });
      return never(signal);
    },
  });
  await until(async () => seen(there, id).progress?.done === 3);
  assert.equal(there.cancel(LOCAL, id), true);
  await until(async () => seen(there, id).state === 'cancelled');
  assert.deepEqual(results, [false]);
});

it('a job whose server ended is reported as interrupted', async () => {
  const jobs = make();
  const waiting = start(jobs, { delayMs: 600_000, run: () => assert.fail('it must not run') });
  const running = start(jobs, { run: ({ signal }) => never(signal) });
  await jobs.close();
  for (const { id } of [waiting, running]) assert.equal(seen(make(), id).state, 'interrupted');
});

it('a job without a sign of life is shown as interrupted', () => {
  const jobs = make();
  const { id } = start(jobs, { delayMs: 600_000 });
  clock += 120_000;
  assert.equal(seen(make(), id).state, 'interrupted');
  return jobs.close();
});

it('a key has a limit of jobs at once, and old ones make room', async () => {
  const jobs = make();
  const many = Array.from({ length: 8 }, () => start(jobs, { delayMs: 600_000 }));
  assert.throws(() => start(jobs), /already has 8 jobs running/);
  assert.deepEqual(jobs.list({ ...LOCAL, id: 'other', scopes: ['read'] }), []);
  for (const { id } of many) jobs.cancel(LOCAL, id);
  await jobs.close();
  clock += 8 * 86_400_000;
  const after = make();
  start(after);
  await after.close();
  assert.equal((await readdir(join(home, JOB_FOLDER))).length, 1);
});

describe('the answer of a task', () => {
  const other = { ...LOCAL, id: 'other' };
  const task = (jobs: Jobs, principal = LOCAL): Job =>
    start(jobs, { principal, task: true, run: async () => ({ text: 'secret' }) });

  it('is kept for a day, apart from the job and for its caller alone', async () => {
    const jobs = make();
    const { id } = task(jobs);
    await jobs.close();
    const done = jobs.task(LOCAL, id)!;
    assert.deepEqual(jobs.answer(done), { text: 'secret' });
    assert.equal(jobs.task(other, id), undefined);
    assert.ok(!JSON.stringify(jobs.list(other)).includes('secret'));
    assert.equal((await stat(join(home, JOB_FOLDER, `${id}.answer`))).mode & 0o077, 0);
    clock += 86_400_001;
    assert.equal(jobs.task(LOCAL, id), undefined);
    start(jobs);
    await jobs.close();
    assert.ok(!(await readdir(join(home, JOB_FOLDER))).includes(`${id}.answer`));
  });

  it('is not pushed out by others: a caller that has too many kept gets no more tasks', async () => {
    const jobs = make();
    const first = task(jobs);
    for (let count = 1; count < 50; count += 1) {
      assert.ok(jobs.hasRoom(LOCAL));
      task(jobs);
      await jobs.close();
    }
    assert.equal(jobs.hasRoom(LOCAL), false);
    assert.ok(jobs.hasRoom(other));
    assert.ok(jobs.answer(jobs.task(LOCAL, first.id)!));
    clock += 86_400_001;
    assert.ok(jobs.hasRoom(LOCAL));
  });

  it('is not promised to a caller that has eight at work', async () => {
    const jobs = make();
    for (let count = 0; count < 8; count += 1) {
      assert.ok(jobs.hasRoom(LOCAL));
      start(jobs, { task: true, run: ({ signal }) => never(signal) });
    }
    assert.equal(jobs.hasRoom(LOCAL), false);
    assert.ok(jobs.hasRoom(other));
    await jobs.close();
    assert.ok(jobs.hasRoom(LOCAL));
  });

  it('of a process that has ended never comes, and the caller is told at once', async () => {
    const ended = new Set<string>();
    const processes = (own: string): Jobs =>
      createJobs({
        ...{ home, now: () => new Date(clock), track: (work) => work },
        processes: { own, isGone: (owner) => ended.has(owner) },
      });
    const [here, there] = [processes('here'), processes('there')];
    const { id } = start(here, { task: true, run: ({ signal }) => never(signal) });
    assert.equal(there.task(LOCAL, id)?.state, 'running');
    ended.add('here');
    assert.equal(there.task(LOCAL, id)?.state, 'interrupted');
    assert.ok(!JSON.stringify(there.list(LOCAL)).includes('"owner"'));
    await here.close();
  });
});
