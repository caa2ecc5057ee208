// Paints the graph: lines, then nodes, each in as few strokes as there are looks, so that thousands of them follow the
// hand. Knows nothing of what they mean.

export interface Node {
  name: string;
  label: string;
  x: number;
  y: number;
  /** Across, before zooming. */
  size: number;
  colour: string;
  hidden: boolean;
}

export interface Edge {
  key: string;
  from: Node;
  to: Node;
  label: string;
  /** How far it bends aside for others between the same two, in widths of a gap. */
  bend: number;
}

export interface Viewport {
  x: number;
  y: number;
  zoom: number;
}

/** What stands out: the chosen node with its lines, and a trace or path that everything else makes room for. */
export interface Emphasis {
  chosen?: Node;
  near: ReadonlySet<Edge>;
  nodes?: ReadonlySet<Node>;
  edges?: ReadonlySet<Edge>;
}

export interface Scene {
  nodes: readonly Node[];
  edges: readonly Edge[];
  viewport: Viewport;
  emphasis: Emphasis;
  /** Words on the lines that stand out. */
  worded: boolean;
}

export interface Ink {
  surface: string;
  line: string;
  accent: string;
  muted: string;
  font: string;
}

/** With more lines than this, arrows are left to those that stand out. */
const ARROWS = 600;
const BEND = 26;
const FAINT = 0.18;

export const radiusOf = ({ size }: Node, { zoom }: Viewport): number => Math.max(1.5, (size / 2) * zoom);

/** The middle of an edge on the screen: where it bends to, and where its words stand. */
export function middleOf({ from, to, bend }: Edge, { x, y, zoom }: Viewport): { x: number; y: number } {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  return {
    x: ((from.x + to.x) / 2 - (dy / length) * bend * BEND) * zoom + x,
    y: ((from.y + to.y) / 2 + (dx / length) * bend * BEND) * zoom + y,
  };
}

export function paint(
  context: CanvasRenderingContext2D,
  size: { width: number; height: number },
  { nodes, edges, viewport, emphasis, worded }: Scene,
  ink: Ink,
): void {
  context.clearRect(0, 0, size.width, size.height);
  const within = ({ x, y, size: across }: Node): boolean => {
    const [left, top] = [x * viewport.zoom + viewport.x, y * viewport.zoom + viewport.y];
    const room = across * viewport.zoom;
    return left > -room && left < size.width + room && top > -room && top < size.height + room;
  };
  const shown = edges.filter(
    ({ from, to }) => from !== to && !from.hidden && !to.hidden && mayCross(from, to),
  );
  function mayCross(a: Node, b: Node): boolean {
    const { x, y, zoom } = viewport;
    return (
      Math.max(a.x, b.x) * zoom + x > -BEND &&
      Math.min(a.x, b.x) * zoom + x < size.width + BEND &&
      Math.max(a.y, b.y) * zoom + y > -BEND &&
      Math.min(a.y, b.y) * zoom + y < size.height + BEND
    );
  }
  const strong = emphasis.edges ?? emphasis.near;
  const plain = shown.filter((edge) => !strong.has(edge));
  context.globalAlpha = emphasis.edges ? FAINT : 1;
  paintEdges(context, plain, viewport, { colour: ink.line, width: 1, arrows: shown.length <= ARROWS });
  context.globalAlpha = 1;
  const standing = shown.filter((edge) => strong.has(edge));
  paintEdges(context, standing, viewport, { colour: ink.accent, width: 2, arrows: true });

  const visible = nodes.filter((node) => !node.hidden && within(node));
  const isBack = (node: Node): boolean => emphasis.nodes !== undefined && !emphasis.nodes.has(node);
  context.globalAlpha = FAINT;
  paintNodes(context, visible.filter(isBack), viewport, ink.surface);
  context.globalAlpha = 1;
  paintNodes(
    context,
    visible.filter((node) => !isBack(node)),
    viewport,
    ink.surface,
  );
  const ringed = visible.filter((node) => node === emphasis.chosen || emphasis.nodes?.has(node));
  context.strokeStyle = ink.accent;
  for (const node of ringed) {
    context.beginPath();
    const { x, y, zoom } = viewport;
    context.arc(
      node.x * zoom + x,
      node.y * zoom + y,
      radiusOf(node, viewport) + (node === emphasis.chosen ? 4 : 1),
      0,
      2 * Math.PI,
    );
    context.lineWidth = node === emphasis.chosen ? 2.5 : 1.5;
    context.stroke();
  }
  if (worded) paintWords(context, standing, viewport, ink);
}

function paintEdges(
  context: CanvasRenderingContext2D,
  edges: readonly Edge[],
  viewport: Viewport,
  { colour, width, arrows }: { colour: string; width: number; arrows: boolean },
): void {
  const { x, y, zoom } = viewport;
  context.beginPath();
  for (const edge of edges) {
    const { from, to, bend } = edge;
    context.moveTo(from.x * zoom + x, from.y * zoom + y);
    if (bend === 0) context.lineTo(to.x * zoom + x, to.y * zoom + y);
    else {
      const middle = middleOf(edge, viewport);
      context.quadraticCurveTo(middle.x, middle.y, to.x * zoom + x, to.y * zoom + y);
    }
  }
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.stroke();
  if (!arrows) return;
  context.beginPath();
  for (const edge of edges) addArrow(context, edge, viewport, 4 + width * 2);
  context.fillStyle = colour;
  context.fill();
}

function addArrow(context: CanvasRenderingContext2D, edge: Edge, viewport: Viewport, length: number): void {
  const { x, y, zoom } = viewport;
  const middle = middleOf(edge, viewport);
  const [toX, toY] = [edge.to.x * zoom + x, edge.to.y * zoom + y];
  const angle = Math.atan2(toY - middle.y, toX - middle.x);
  const gap = radiusOf(edge.to, viewport) + 1;
  const [tipX, tipY] = [toX - Math.cos(angle) * gap, toY - Math.sin(angle) * gap];
  context.moveTo(tipX, tipY);
  for (const turn of [0.42, -0.42])
    context.lineTo(tipX - Math.cos(angle + turn) * length, tipY - Math.sin(angle + turn) * length);
  context.closePath();
}

function paintNodes(
  context: CanvasRenderingContext2D,
  nodes: readonly Node[],
  viewport: Viewport,
  ground: string,
): void {
  const { x, y, zoom } = viewport;
  const byColour = Map.groupBy(nodes, ({ colour }) => colour);
  for (const [colour, group] of byColour) {
    context.beginPath();
    for (const node of group) {
      const radius = radiusOf(node, viewport);
      const [left, top] = [node.x * zoom + x, node.y * zoom + y];
      // A dot of a few pixels looks the same as a square, and costs a tenth.
      if (radius < 2.5) context.rect(left - radius, top - radius, radius * 2, radius * 2);
      else {
        context.moveTo(left + radius, top);
        context.arc(left, top, radius, 0, 2 * Math.PI);
      }
    }
    context.fillStyle = colour;
    context.fill();
    if (group.length > ARROWS) continue;
    context.strokeStyle = ground;
    context.lineWidth = 1.5;
    context.stroke();
  }
}

/** Along their lines, and never upside down. */
function paintWords(
  context: CanvasRenderingContext2D,
  edges: readonly Edge[],
  viewport: Viewport,
  ink: Ink,
): void {
  context.font = `11px ${ink.font}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  for (const edge of edges) {
    const bow = middleOf(edge, viewport);
    const straight = middleOf({ ...edge, bend: 0 }, viewport);
    const angle = Math.atan2(edge.to.y - edge.from.y, edge.to.x - edge.from.x);
    const width = context.measureText(edge.label).width;
    const length = Math.hypot(edge.to.x - edge.from.x, edge.to.y - edge.from.y) * viewport.zoom;
    if (width + 40 > length) continue;
    context.save();
    context.translate((bow.x + straight.x) / 2, (bow.y + straight.y) / 2);
    context.rotate(Math.abs(angle) > Math.PI / 2 ? angle + Math.PI : angle);
    context.fillStyle = ink.surface;
    context.fillRect(-width / 2 - 3, -7, width + 6, 14);
    context.fillStyle = ink.muted;
    context.fillText(edge.label, 0, 0);
    context.restore();
  }
}
