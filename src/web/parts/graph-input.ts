// Hands on the picture: moving it, pulling a node, zooming by wheel and by two fingers, and what lies under the pointer.

export interface Hands<Thing> {
  /** A node or a line at a place of the picture. */
  at: (x: number, y: number) => Thing | undefined;
  move: (dx: number, dy: number) => void;
  /** Takes hold of what can be pulled; undefined: the picture itself moves. */
  grab: (x: number, y: number) => ((dx: number, dy: number) => void) | undefined;
  zoom: (factor: number, x: number, y: number) => void;
  tap: (thing: Thing) => void;
  hover: (thing: Thing | undefined) => void;
}

/** Less is a tap that trembled. */
const TREMBLE = 4;

export function listen<Thing>(place: HTMLElement, hands: Hands<Thing>): void {
  const down = new Map<number, { x: number; y: number }>();
  let pull: ((dx: number, dy: number) => void) | undefined;
  let travelled = 0;
  const spot = (event: MouseEvent): { x: number; y: number } => {
    const { left, top } = place.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };

  place.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    const here = spot(event);
    if (down.size === 0) {
      travelled = 0;
      pull = hands.grab(here.x, here.y);
    } else travelled = Infinity;
    down.set(event.pointerId, here);
  });
  place.addEventListener('pointermove', (event) => {
    const here = spot(event);
    const before = down.get(event.pointerId);
    if (!before) {
      if (event.pointerType !== 'touch') hands.hover(hands.at(here.x, here.y));
      return;
    }
    const [dx, dy] = [here.x - before.x, here.y - before.y];
    if (down.size === 1) {
      travelled += Math.hypot(dx, dy);
      if (travelled < TREMBLE) return;
      // From now on the pointer is ours, wherever it goes.
      if (!place.hasPointerCapture(event.pointerId)) capture(event.pointerId);
      (pull ?? hands.move)(dx, dy);
    } else if (down.size === 2) {
      const other = [...down].find(([id]) => id !== event.pointerId)![1];
      const was = Math.hypot(before.x - other.x, before.y - other.y) || 1;
      hands.zoom(
        Math.hypot(here.x - other.x, here.y - other.y) / was,
        (here.x + other.x) / 2,
        (here.y + other.y) / 2,
      );
    }
    down.set(event.pointerId, here);
  });
  const up = (event: PointerEvent): void => {
    const known = down.delete(event.pointerId);
    if (!known || event.type === 'pointercancel' || travelled >= TREMBLE) return;
    const { x, y } = spot(event);
    const thing = hands.at(x, y);
    if (thing !== undefined) hands.tap(thing);
  };
  place.addEventListener('pointerup', up);
  place.addEventListener('pointercancel', up);
  place.addEventListener('pointerleave', (event) => {
    // Without capture, a button that is released outside is never heard of.
    if (!place.hasPointerCapture(event.pointerId)) down.delete(event.pointerId);
    hands.hover(undefined);
  });
  place.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      const { x, y } = spot(event);
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
      hands.zoom(Math.exp(-Math.max(-120, Math.min(120, event.deltaY * lines)) / 400), x, y);
    },
    { passive: false },
  );

  function capture(id: number): void {
    try {
      place.setPointerCapture(id);
    } catch {
      // The pointer was lifted in this moment.
    }
  }
}
