// Follows what each target costs as each text doubles. Runs in a process of its own, because a pattern that never ends
// can only be stopped from outside; every step is announced, so that the parent knows what it was.
// node measure.ts <target>…: prints one line per step under way and per text whose cost grows too fast.

import { TARGETS, type Target } from './targets.ts';
import { TEXTS, type HostileText } from './texts.ts';

/** Texts are followed up to here; `--to` says otherwise. */
const LAST = Number(/^--to=(\d+)$/.exec(process.argv[2] ?? '')?.[1] ?? 65_536);
const SIZES = 4;
/** Below this nobody waits, and start-up of the compiler and the collector say more than the text. */
const NOTICEABLE_MS = 8;
const MOST_GROWTH = 2.5;
/** Doublings that are looked at together before a text is called too dear. */
const AROUND = 4;
/** Beyond this, growth is not waited for any longer: the text is too dear as it is. */
const TOO_LONG_MS = 4_000;
/** The clock of the processor ticks every few milliseconds: shorter runs are repeated and shared out. */
const MEASURABLE_MS = 24;

async function attempt(target: Target, text: string): Promise<void> {
  try {
    await target.run(text);
  } catch {
    // What a refused text costs counts as well.
  }
}

/** Milliseconds of the processor, the least of so many: only to see quickly which texts deserve a closer look. */
async function glance(target: Target, text: string, times = 1): Promise<number> {
  let least = Infinity;
  for (let run = 0; run < times; run++) {
    const before = process.threadCpuUsage();
    await attempt(target, text);
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

/** Milliseconds of the processor. */
async function cost(target: Target, text: string): Promise<number> {
  const before = process.threadCpuUsage();
  let spent = 0;
  let runs = 0;
  while (spent < MEASURABLE_MS) {
    await attempt(target, text);
    runs += 1;
    const { user, system } = process.threadCpuUsage(before);
    spent = (user + system) / 1000;
  }
  return spent / runs;
}

/** Whether the longer text costs so many times the shorter one: by the median of five pairs, each measured side by side. */
async function exceeds(target: Target, shorter: string, longer: string, growth: number): Promise<boolean> {
  let over = 0;
  for (let pair = 0; pair < 5; pair++) {
    const before = await cost(target, shorter);
    if ((await cost(target, longer)) > before * growth) over += 1;
    // Three of five decide.
    if (over === 3 || pair - over === 2) break;
  }
  return over === 3;
}

/**
 * Whether this doubling costs too much, and so do the doublings around it. A collector that begins to work, or a cache
 * that becomes too small, makes one or two doublings dear on one machine; what is more than linear makes all of them dear.
 */
async function growsTooFast(target: Target, text: HostileText, length: number): Promise<boolean> {
  if (!(await exceeds(target, text.make(length / 2), text.make(length), MOST_GROWTH))) return false;
  const longest = Math.min(length * 2 ** (AROUND - 1), target.limit ?? Infinity);
  return exceeds(target, text.make(longest / 2 ** AROUND), text.make(longest), MOST_GROWTH ** AROUND);
}

const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

/** Reports the first doubling that costs too much, if any. */
async function follow(target: Target, text: HostileText): Promise<void> {
  const last = Math.min(text.long ? LAST * 4 : LAST, target.limit ?? Infinity);
  let length = last / 2 ** (SIZES - 1);
  let before = await glance(target, text.make(length));
  while (length * 2 <= last) {
    length *= 2;
    say({ step: [target.name, text.name, length] });
    const made = text.make(length);
    let now = await glance(target, made);
    if (now > TOO_LONG_MS) return say({ slow: [target.name, text.name], length, ms: [round(now)] });
    if (now > NOTICEABLE_MS && now > before * MOST_GROWTH) {
      before = await glance(target, text.make(length / 2), 3);
      now = await glance(target, made, 3);
      const suspect = now > NOTICEABLE_MS && now > before * MOST_GROWTH;
      if (suspect && (await growsTooFast(target, text, length)))
        return say({ slow: [target.name, text.name], length, ms: [round(before), round(now)] });
    }
    before = now;
  }
}

const round = (value: number): number => Math.round(value * 10) / 10;

for (const target of TARGETS.filter(({ name }) => process.argv.slice(2).includes(name)))
  for (const text of TEXTS) await follow(target, text);
say({ done: true });
