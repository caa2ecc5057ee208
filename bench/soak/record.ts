// What happened, by minute, and which errors a fault explains.

export interface Row {
  minute: number;
  calls: number;
  p50: number;
  p99: number;
  /** The p99 of the fixed work beside. */
  floor: number;
  /** The p99 in units of the floor. */
  slowness: number;
  rss: number;
  health: number;
}

export interface Record {
  /** A call that came back, in milliseconds. */
  call(server: string, ms: number): void;
  /** A call that failed; wrong unless a fault of that server, or of all, explains it. */
  failed(server: string, what: string, why: string): void;
  wrong(what: string, why: string): void;
  health(server: string, ms: number, ok: boolean): void;
  /** What the fixed work beside the servers took. */
  floor(ms: number): void;
  memory(server: string, mb: number): void;
  /** Runs a fault; errors of `server` (`*`: of all) that match are its own, until shortly after it has ended. */
  fault<T>(server: string, name: string, expected: RegExp, work: () => Promise<T>): Promise<T>;
  minutesOf(): Row[];
  healthMs(): number[];
  calls(): number;
  /** Calls without an answer in time that the machine explains: the fixed work had none either. */
  starved(): number;
  errors: string[];
  faults: string[];
}

/** What a client sees of a server that has no processor. */
const LATE = /timeout|no answer in|busy/i;
/** The fixed work takes milliseconds; where it takes so long, a hundred times the work takes minutes. */
const STARVED_MS = 1_500;
const LOOK_BACK_MS = 60_000;
/** Clients notice late: their call may have begun while the fault lasted. */
const AFTERWARDS_MS = 5_000;

interface Window {
  server: string;
  expected: RegExp;
  /** Infinity while it lasts. */
  until: number;
}

export function createRecord(now: () => number = () => performance.now()): Record {
  const began = now();
  const calls: { at: number; ms: number }[] = [];
  const health: { at: number; ms: number }[] = [];
  const memory: { at: number; server: string; mb: number }[] = [];
  const windows: Window[] = [];
  const errors: string[] = [];
  const faults: string[] = [];
  const floors: { at: number; ms: number }[] = [];
  let starved = 0;
  const minute = (at: number): number => Math.floor((at - began) / 60_000);
  const explained = (server: string, text: string): boolean =>
    windows.some(
      (one) => (one.server === '*' || one.server === server) && one.until > now() && one.expected.test(text),
    );
  const calm = (server: string): boolean =>
    !windows.some((one) => (one.server === '*' || one.server === server) && one.until > now());
  const starving = (): boolean => floors.some(({ at, ms }) => ms > STARVED_MS && at > now() - LOOK_BACK_MS);
  const wrong = (what: string, why: string): void => {
    if (LATE.test(why) && starving()) starved += 1;
    else errors.push(`${((now() - began) / 1000).toFixed(1)} s ${what}: ${why.slice(0, 300)}`);
  };

  return {
    call(server, ms) {
      if (calm(server)) calls.push({ at: now(), ms });
    },
    failed(server, what, why) {
      if (!explained(server, why)) wrong(`${server} ${what}`, why);
    },
    wrong,
    health(server, ms, ok) {
      if (!calm(server)) return;
      if (ok) health.push({ at: now(), ms });
      else wrong(`${server} /health`, `no answer in ${Math.round(ms)} ms`);
    },
    floor: (ms) => void floors.push({ at: now(), ms }),
    memory: (server, mb) => void memory.push({ at: now(), server, mb }),
    async fault(server, name, expected, work) {
      const window: Window = { server, expected, until: Infinity };
      windows.push(window);
      faults.push(name);
      try {
        return await work();
      } finally {
        window.until = now() + AFTERWARDS_MS;
      }
    },
    minutesOf() {
      const last = minute(Math.max(began, ...calls.map(({ at }) => at)));
      return Array.from({ length: last + 1 }, (_, number) => {
        const of = <T extends { at: number }>(list: T[]): T[] =>
          list.filter(({ at }) => minute(at) === number);
        const times = of(calls).map(({ ms }) => ms);
        const floor = percentile(
          of(floors).map(({ ms }) => ms),
          0.99,
        );
        const p99 = percentile(times, 0.99);
        return {
          minute: number + 1,
          calls: times.length,
          p50: percentile(times, 0.5),
          p99,
          floor,
          slowness: p99 / Math.max(1, floor),
          rss: Math.round(Math.max(0, ...of(memory).map(({ mb }) => mb))),
          health: percentile(
            of(health).map(({ ms }) => ms),
            1,
          ),
        };
      });
    },
    healthMs: () => health.map(({ ms }) => ms),
    calls: () => calls.length,
    starved: () => starved,
    errors,
    faults,
  };
}

export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0);
}
