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
