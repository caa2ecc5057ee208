// Names beside the nodes, always of one size and never over each other: the most important first, the rest where there is
// room. Drawn on a sheet of its own, so that they cost nothing per node while the picture moves.

export interface Label {
  text: string;
  /** On the sheet, in pixels: the middle of the node, its lower and its upper edge. */
  x: number;
  below: number;
  above: number;
  /** Higher is placed first. */
  weight: number;
  strong: boolean;
}

const FONT_PX = 12.5;
const HEIGHT = 17;
/** Squares that know what is in them, so that a label is compared with its neighbours alone. */
const CELL = 120;
/** Enough for any screen. */
const MOST = 400;

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The labels there is room for, with where they stand. Pure. */
export function place(
  labels: readonly Label[],
  widthOf: (label: Label) => number,
  sheet: { width: number; height: number },
): { label: Label; box: Box }[] {
  const taken = new Map<string, Box[]>();
  const placed: { label: Label; box: Box }[] = [];
  for (const label of labels.toSorted((a, b) => b.weight - a.weight)) {
    if (placed.length >= MOST) break;
    if (label.x < 0 || label.x > sheet.width || label.below < 0 || label.above > sheet.height) continue;
    const half = widthOf(label) / 2 + 3;
    // Beside the edge a name moves inwards rather than being cut.
    const x = Math.max(half, Math.min(sheet.width - half, label.x));
    const boxes = [label.below, label.above - HEIGHT].map((top) => ({
      ...{ left: x - half, right: x + half, top, bottom: top + HEIGHT },
    }));
    const box = boxes.find((one) =>
      cellsOf(one).every((cell) => !(taken.get(cell) ?? []).some((other) => overlap(one, other))),
    );
    if (!box) continue;
    for (const cell of cellsOf(box)) taken.set(cell, [...(taken.get(cell) ?? []), box]);
    placed.push({ label, box });
  }
  return placed;
}

const overlap = (a: Box, b: Box): boolean =>
  a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;

function cellsOf({ left, right, top, bottom }: Box): string[] {
  const cells: string[] = [];
  for (let x = Math.floor(left / CELL); x <= Math.floor(right / CELL); x += 1)
    for (let y = Math.floor(top / CELL); y <= Math.floor(bottom / CELL); y += 1) cells.push(`${x},${y}`);
  return cells;
}

/** Makes a canvas as large as what it lies in, in the pixels of the screen; the size to draw in. */
export function fitted(
  context: CanvasRenderingContext2D,
  { clientWidth: width, clientHeight: height }: HTMLElement,
): { width: number; height: number } {
  const { canvas } = context;
  const ratio = devicePixelRatio;
  const [across, down] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== across || canvas.height !== down) [canvas.width, canvas.height] = [across, down];
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return { width, height };
}

export interface Sheet {
  draw(labels: readonly Label[]): void;
}

export function createSheet(container: HTMLElement, colours: { text: string; ground: string }): Sheet {
  const canvas = document.createElement('canvas');
  canvas.className = 'graph-labels';
  canvas.setAttribute('aria-hidden', 'true');
  container.append(canvas);
  const context = canvas.getContext('2d')!;
  const widths = new Map<string, number>();
  const family = getComputedStyle(container).fontFamily;
  const font = (strong: boolean): string => `${strong ? '600 ' : ''}${FONT_PX}px ${family}`;
  const widthOf = ({ text, strong }: Label): number => {
    const key = `${strong ? 1 : 0}${text}`;
    const known = widths.get(key);
    if (known !== undefined) return known;
    context.font = font(strong);
    const { width } = context.measureText(text);
    widths.set(key, width);
    return width;
  };
  return {
    draw(labels) {
      const { width, height } = fitted(context, container);
      context.clearRect(0, 0, width, height);
      context.textAlign = 'center';
      context.textBaseline = 'top';
      context.lineJoin = 'round';
      context.lineWidth = 3;
      context.strokeStyle = colours.ground;
      context.fillStyle = colours.text;
      for (const { label, box } of place(labels, widthOf, { width, height })) {
        context.font = font(label.strong);
        const x = (box.left + box.right) / 2;
        context.strokeText(label.text, x, box.top + 2);
        context.fillText(label.text, x, box.top + 2);
      }
    },
  };
}
