// Places for thousands of nodes in a moment: neighbours start near each other, then everything is pushed apart and pulled
// together a few times, looking only at what is close. The same graph gives the same picture.

/** A few nodes are worth more steps than thousands. */
const stepsOf = (count: number): number => (count <= 200 ? 60 : count <= 1_000 ? 30 : 15);
/** In a crowd a node is pushed by so many of each square; all of them would say the same. */
const FELT = 8;
/** Squares are numbered row by row; no picture is wider than this many. */
const ROW = 65_536;

/** Few nodes have room for their names; many have to be drawn closer. */
const gapOf = (count: number): number => (count <= 60 ? 120 : count <= 200 ? 90 : 50);

export interface Spot {
  x: number;
  y: number;
}

/** `edges` are pairs of indexes; nodes come most connected first. */
export function layoutOf(count: number, edges: readonly (readonly [number, number])[]): Spot[] {
  const near = Array.from({ length: count }, (): number[] => []);
  for (const [a, b] of edges) {
    if (a === b) continue;
    near[a]!.push(b);
    near[b]!.push(a);
  }
  const gap = gapOf(count);
  const spots = begin(near, gap);
  const steps = stepsOf(count);
  for (let step = 0; step < steps; step += 1) relax(spots, edges, { gap, heat: 1 - step / steps });
  return spots;
}

/** Hubs on a spiral, each followed by what hangs on it: what belongs together lies on neighbouring turns. */
function begin(near: readonly number[][], gap: number): Spot[] {
  const count = near.length;
  const order: number[] = [];
  const seen = new Uint8Array(count);
  for (let root = 0; root < count; root += 1) {
    if (seen[root]) continue;
    const queue = [root];
    seen[root] = 1;
    for (const at of queue) {
      order.push(at);
      for (const other of near[at]!)
        if (!seen[other]) {
          seen[other] = 1;
          queue.push(other);
        }
    }
  }
  const spots = new Array<Spot>(count);
  const turn = Math.PI * (3 - Math.sqrt(5));
  for (const [rank, at] of order.entries()) {
    const radius = gap * Math.sqrt(rank + 0.5);
    spots[at] = { x: radius * Math.cos(rank * turn), y: radius * Math.sin(rank * turn) };
  }
  return spots;
}

function relax(
  spots: Spot[],
  edges: readonly (readonly [number, number])[],
  { gap, heat }: { gap: number; heat: number },
): void {
  const cell = gap * 2;
  const grid = new Map<number, number[]>();
  for (const [at, { x, y }] of spots.entries()) {
    const key = Math.floor(y / cell) * ROW + Math.floor(x / cell);
    const inside = grid.get(key);
    if (!inside) grid.set(key, [at]);
    else if (inside.length < FELT) inside.push(at);
  }
  const moved = spots.map(() => ({ x: 0, y: 0 }));
  for (const [at, here] of spots.entries()) {
    const [column, row] = [Math.floor(here.x / cell), Math.floor(here.y / cell)];
    for (let dx = -1; dx <= 1; dx += 1)
      for (let dy = -1; dy <= 1; dy += 1)
        for (const other of grid.get((row + dy) * ROW + column + dx) ?? []) {
          if (other === at) continue;
          const there = spots[other]!;
          const [x, y] = [here.x - there.x, here.y - there.y];
          const apart = Math.hypot(x, y) || 0.01;
          if (apart > cell) continue;
          const push = ((cell - apart) / cell) * gap * 0.25;
          moved[at]!.x += (x / apart) * push;
          moved[at]!.y += (y / apart) * push;
        }
  }
  for (const [a, b] of edges) {
    if (a === b) continue;
    const [x, y] = [spots[b]!.x - spots[a]!.x, spots[b]!.y - spots[a]!.y];
    const apart = Math.hypot(x, y) || 0.01;
    // A long edge pulls no harder than a middling one, or hubs would swallow the picture.
    const pull = Math.min(apart - gap * 1.6, gap * 2) * 0.08;
    for (const [at, sign] of [
      [a, 1],
      [b, -1],
    ] as const) {
      moved[at]!.x += (sign * x * pull) / apart;
      moved[at]!.y += (sign * y * pull) / apart;
    }
  }
  for (const [at, { x, y }] of moved.entries()) {
    const far = Math.hypot(x, y);
    const most = gap * heat;
    const part = far > most ? most / far : 1;
    spots[at]!.x += x * part;
    spots[at]!.y += y * part;
  }
}
