// Bodies on their way in, by key. They count before a call is admitted, so that neither slow senders nor keys that are
// over their rate make the server hold what it will not answer. Each process counts its own.

export interface Receiving {
  /** Why this key has to wait before it may send again, and for how many seconds; else `end` must follow, once. */
  begin(key: string): { reason: 'rate' | 'key busy'; retryAfter: number } | undefined;
  end(key: string): void;
  /** The key is over its rate and was told to wait so many seconds. */
  hold(key: string, seconds: number): void;
}

const MAX_BODIES = 64;
const MAX_KEYS = 10_000;

export function createReceiving(now: () => number, maxBodies = MAX_BODIES): Receiving {
  const bodies = new Map<string, number>();
  const held = new Map<string, number>();
  return {
    begin(key) {
      const until = held.get(key) ?? 0;
      if (until > now())
        return { reason: 'rate', retryAfter: Math.max(1, Math.ceil((until - now()) / 1000)) };
      const open = bodies.get(key) ?? 0;
      if (open >= maxBodies) return { reason: 'key busy', retryAfter: 1 };
      bodies.set(key, open + 1);
      return undefined;
    },
    end(key) {
      const left = (bodies.get(key) ?? 1) - 1;
      if (left) bodies.set(key, left);
      else bodies.delete(key);
    },
    hold(key, seconds) {
      held.delete(key);
      if (held.size >= MAX_KEYS) held.delete(held.keys().next().value!);
      held.set(key, now() + seconds * 1000);
    },
  };
}
