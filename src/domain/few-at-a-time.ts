// Many items, a few at a time.

/** The items in their order, so many together; the last group may hold fewer. */
export function inGroups<Item>(items: readonly Item[], size: number): Item[][] {
  const groups: Item[][] = [];
  for (let at = 0; at < items.length; at += size) groups.push(items.slice(at, at + size));
  return groups;
}

/**
 * Runs the work with so many at once and gives its answers in the order of the items. The first failure stops what has
 * not begun and waits for what has.
 */
export async function atMost<Item, Answer>(
  limit: number,
  items: readonly Item[],
  work: (item: Item, at: number) => Promise<Answer>,
): Promise<Answer[]> {
  const answers = new Array<Answer>(items.length);
  let next = 0;
  const worker = async (): Promise<void> => {
    try {
      for (let at = next++; at < items.length; at = next++) answers[at] = await work(items[at]!, at);
    } catch (thrown) {
      next = items.length;
      throw thrown;
    }
  };
  const workers = Array.from({ length: Math.min(limit, items.length) }, worker);
  await Promise.all(workers).finally(() => Promise.allSettled(workers));
  return answers;
}
