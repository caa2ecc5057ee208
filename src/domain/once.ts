// Values that are made when they are first needed, and only once.

export interface Once<Value> {
  (): Promise<Value>;
  /** What was asked for so far; makes nothing. */
  asked(): Promise<Value> | undefined;
}

/** Made by the first who asks. What failed is made again: what was missing (a file, a server) may be there by then. */
export function once<Value>(make: () => Promise<Value>): Once<Value> {
  let made: Promise<Value> | undefined;
  const ask = (): Promise<Value> =>
    (made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
  return Object.assign(ask, { asked: () => made });
}

/** The same for the same key, made when it is first asked for. Lives as long as what it was made for: a question, a call. */
export function oncePerKey<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined || made.has(key)) return known!;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}
