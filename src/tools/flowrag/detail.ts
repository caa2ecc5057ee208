// Long lists keep all of their items and lose detail instead, because a caller who asks for many wants the names.

/** What a list may take as JSON; both channels of an answer have the same room. */
const ROOM = 36_000;

/** The items with as much detail as they have room for together: the first of the views that fits, else the last. */
export function fitDetail<Item, Shown extends object>(
  items: readonly Item[],
  views: readonly [(item: Item) => Shown, ...((item: Item) => Shown)[]],
): Shown[] {
  let shown: Shown[] = [];
  for (const view of views) {
    shown = items.map(view);
    if (JSON.stringify(shown).length <= ROOM) break;
  }
  return shown;
}
