// The picture of the graph. Loaded only when the graph view opens; nothing it shows is known only here, the lists
// beside it say the same in words.

import { colour } from '../core/theme.ts';
import { listen } from './graph-input.ts';
import { createSheet, fitted, type Label } from './graph-labels.ts';
import { layoutOf } from './graph-layout.ts';
import type { Drawn, GraphModel } from './graph-model.ts';
import {
  middleOf,
  paint,
  radiusOf,
  type Edge,
  type Emphasis,
  type Node,
  type Viewport,
} from './graph-paint.ts';
import { relationLabel } from './graph-panel.ts';

export interface Picture {
  update(model: GraphModel, hidden: ReadonlySet<string>): void;
  select(name: string | undefined): void;
  /** Brings a trace or a path forward; `select` makes everything equal again. */
  bring(drawn: Drawn | undefined): void;
  fit: () => void;
  zoom(factor: number): void;
}

export interface PictureOptions {
  place: HTMLElement;
  onEntity: (name: string) => void;
  onRelation: (key: string) => void;
  colourOf: (type: string) => string;
}

/** With more lines that stand out, words on them would lie over each other; the list beside the picture has them. */
const WORDED = 6;
const ZOOM = { least: 0.03, most: 3, fitted: 1.4 };
/** Pixels around a node or a line in which it is still meant. */
const NEAR = 6;
/** Names worth a try; there is room for fewer on any screen. */
const NAMED = 800;
const MOVE_MS = 250;

export function createPicture({ place, onEntity, onRelation, colourOf }: PictureOptions): Picture {
  const canvas = document.createElement('canvas');
  canvas.setAttribute('aria-hidden', 'true');
  place.append(canvas);
  const context = canvas.getContext('2d')!;
  const ink = {
    ...{ surface: colour('--surface'), line: colour('--edge'), accent: colour('--accent') },
    ...{ muted: colour('--muted'), font: getComputedStyle(place).fontFamily },
  };
  const sheet = createSheet(place, { text: colour('--text'), ground: ink.surface });
  const nodes = new Map<string, Node>();
  const edges = new Map<string, Edge>();
  const viewport: Viewport = { x: 0, y: 0, zoom: 1 };
  let emphasis: Emphasis = { near: new Set() };
  let waiting = false;
  let moving = 0;

  function redraw(): void {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      draw();
    });
  }

  function draw(): void {
    const { width, height } = fitted(context, place);
    const strong = emphasis.edges ?? emphasis.near;
    const worded = strong.size <= WORDED && width >= 560 && viewport.zoom > 0.6;
    const scene = { nodes: [...nodes.values()], edges: [...edges.values()], viewport, emphasis, worded };
    paint(context, { width, height }, scene, ink);
    sheet.draw(labels(scene.nodes, { width, height }));
  }

  function labels(all: readonly Node[], { width, height }: { width: number; height: number }): Label[] {
    const found: Label[] = [];
    for (const node of all) {
      const x = node.x * viewport.zoom + viewport.x;
      const y = node.y * viewport.zoom + viewport.y;
      if (node.hidden || x < 0 || x > width || y < 0 || y > height) continue;
      const strong = node === emphasis.chosen || emphasis.nodes?.has(node) === true;
      if (emphasis.nodes && !strong) continue;
      const radius = radiusOf(node, viewport);
      found.push({
        ...{ text: node.label, x, below: y + radius + 2, above: y - radius - 2 },
        ...{ weight: (strong ? 1_000 : 0) + node.size, strong },
      });
    }
    return found.sort((a, b) => b.weight - a.weight).slice(0, NAMED);
  }

  /** New nodes find their places among each other; what was there before keeps its own. */
  function spread(model: GraphModel, fresh: readonly Node[]): void {
    if (fresh.length === 0) return;
    if (fresh.length > nodes.size / 2) {
      const order = [...model.entities.values()].toSorted((a, b) => b.relationCount - a.relationCount);
      const at = new Map(order.map(({ name }, index) => [name, index]));
      const pairs = [...model.relations.values()].map((one): [number, number] => [
        at.get(one.source)!,
        at.get(one.target)!,
      ]);
      const spots = layoutOf(order.length, pairs);
      for (const [index, { name }] of order.entries()) Object.assign(nodes.get(name)!, spots[index]);
      return;
    }
    const added = new Set(fresh);
    const beside = new Map<Node, Node>();
    for (const { from, to } of edges.values()) {
      if (added.has(from) && !added.has(to)) beside.set(from, to);
      if (added.has(to) && !added.has(from)) beside.set(to, from);
    }
    for (const [index, node] of fresh.entries()) {
      const known = beside.get(node) ?? { x: 0, y: 0 };
      const [angle, radius] = [index * 2.4, 70 + 9 * Math.sqrt(index)];
      node.x = known.x + radius * Math.cos(angle);
      node.y = known.y + radius * Math.sin(angle);
    }
  }

  /** Zooms and moves so that these fill the picture; all that is shown when there are none. */
  function frame(wanted: Iterable<Node>, smooth: boolean): void {
    const shown = [...wanted].filter(({ hidden }) => !hidden);
    if (shown.length === 0) return;
    const { clientWidth: width, clientHeight: height } = place;
    const padding = width < 560 ? 34 : 60;
    let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
    for (const { x, y, size } of shown) {
      left = Math.min(left, x - size / 2);
      right = Math.max(right, x + size / 2);
      top = Math.min(top, y - size / 2);
      bottom = Math.max(bottom, y + size / 2);
    }
    const zoom = Math.max(
      ZOOM.least,
      Math.min(
        ZOOM.fitted,
        (width - 2 * padding) / Math.max(1, right - left),
        (height - 2 * padding) / Math.max(1, bottom - top),
      ),
    );
    const target = {
      zoom,
      x: width / 2 - ((left + right) / 2) * zoom,
      y: height / 2 - ((top + bottom) / 2) * zoom,
    };
    cancelAnimationFrame(moving);
    if (smooth && !matchMedia('(prefers-reduced-motion: reduce)').matches) glide(target);
    else Object.assign(viewport, target);
    redraw();
  }

  function glide(target: Viewport): void {
    const [start, began] = [{ ...viewport }, performance.now()];
    const step = (now: number): void => {
      const part = Math.min(1, (now - began) / MOVE_MS);
      const eased = part * (2 - part);
      for (const name of ['x', 'y', 'zoom'] as const)
        viewport[name] = start[name] + (target[name] - start[name]) * eased;
      draw();
      if (part < 1) moving = requestAnimationFrame(step);
    };
    moving = requestAnimationFrame(step);
  }

  function zoomAt(factor: number, x: number, y: number): void {
    const zoom = Math.max(ZOOM.least, Math.min(ZOOM.most, viewport.zoom * factor));
    const part = zoom / viewport.zoom;
    Object.assign(viewport, { zoom, x: x - (x - viewport.x) * part, y: y - (y - viewport.y) * part });
    redraw();
  }

  function nodeAt(x: number, y: number): Node | undefined {
    let best: Node | undefined;
    let least = Infinity;
    for (const node of nodes.values()) {
      if (node.hidden) continue;
      const apart = Math.hypot(
        node.x * viewport.zoom + viewport.x - x,
        node.y * viewport.zoom + viewport.y - y,
      );
      if (apart > radiusOf(node, viewport) + NEAR || apart >= least) continue;
      [best, least] = [node, apart];
    }
    return best;
  }

  function edgeAt(x: number, y: number): Edge | undefined {
    const screen = (node: Node) => ({
      x: node.x * viewport.zoom + viewport.x,
      y: node.y * viewport.zoom + viewport.y,
    });
    return [...edges.values()].find((edge) => {
      if (edge.from.hidden || edge.to.hidden) return false;
      const [from, to, bow] = [screen(edge.from), screen(edge.to), middleOf(edge, viewport)];
      // A bent line passes halfway between its straight middle and where it bends to.
      const middle = { x: (from.x + to.x + 2 * bow.x) / 4, y: (from.y + to.y + 2 * bow.y) / 4 };
      return Math.min(distance({ x, y }, from, middle), distance({ x, y }, middle, to)) < NEAR;
    });
  }

  listen<Node | Edge>(place, {
    at: (x, y) => nodeAt(x, y) ?? edgeAt(x, y),
    move(dx, dy) {
      viewport.x += dx;
      viewport.y += dy;
      redraw();
    },
    grab(x, y) {
      const node = nodeAt(x, y);
      if (!node) return undefined;
      return (dx, dy) => {
        node.x += dx / viewport.zoom;
        node.y += dy / viewport.zoom;
        redraw();
      };
    },
    zoom: zoomAt,
    tap: (thing) => ('key' in thing ? onRelation(thing.key) : onEntity(thing.name)),
    hover(thing) {
      place.style.cursor = thing ? 'pointer' : '';
      const words =
        thing && ('key' in thing ? `${thing.from.name} ${thing.label} ${thing.to.name}` : thing.name);
      place.title = words ?? '';
    },
  });
  new ResizeObserver(redraw).observe(place);

  return {
    update(model, hidden) {
      const fresh: Node[] = [];
      for (const { name, type, relationCount } of model.entities.values()) {
        const look = {
          colour: colourOf(type),
          size: 16 + Math.min(34, 5 * Math.sqrt(relationCount)),
          hidden: hidden.has(type),
        };
        const known = nodes.get(name);
        if (known) Object.assign(known, look);
        else {
          const node = { name, label: short(name), x: 0, y: 0, ...look };
          nodes.set(name, node);
          fresh.push(node);
        }
      }
      if (edges.size < model.relations.size) addEdges(model);
      spread(model, fresh);
      redraw();
    },
    select(name) {
      const chosen = name === undefined ? undefined : nodes.get(name);
      const near = chosen
        ? [...edges.values()].filter(({ from, to }) => from === chosen || to === chosen)
        : [];
      emphasis = { chosen, near: new Set(near) };
      redraw();
      if (!chosen) return;
      const [x, y] = [chosen.x * viewport.zoom + viewport.x, chosen.y * viewport.zoom + viewport.y];
      if (x > 0 && x < place.clientWidth && y > 0 && y < place.clientHeight) return;
      viewport.x += place.clientWidth / 2 - x;
      viewport.y += place.clientHeight / 2 - y;
    },
    bring(drawn) {
      if (!drawn) return;
      const forward = new Set(drawn.nodes.flatMap((name) => nodes.get(name) ?? []));
      emphasis = {
        ...emphasis,
        nodes: forward,
        edges: new Set(drawn.edges.flatMap((key) => edges.get(key) ?? [])),
      };
      frame(forward, true);
      redraw();
    },
    fit: () => frame(nodes.values(), false),
    zoom: (factor) => zoomAt(factor, place.clientWidth / 2, place.clientHeight / 2),
  };

  /** Several between the same two fan out, so that each can be seen and met. */
  function addEdges(model: GraphModel): void {
    const between = new Map<string, Edge[]>();
    for (const [key, { source, target, type }] of model.relations) {
      const edge = edges.get(key) ?? {
        ...{ key, from: nodes.get(source)!, to: nodes.get(target)!, label: relationLabel(type), bend: 0 },
      };
      edges.set(key, edge);
      const pair = source < target ? `${source}\0${target}` : `${target}\0${source}`;
      between.set(pair, [...(between.get(pair) ?? []), edge]);
    }
    for (const group of between.values())
      for (const [index, edge] of group.entries()) {
        const side = edge.from.name < edge.to.name ? 1 : -1;
        edge.bend = side * (index - (group.length - 1) / 2);
      }
  }
}

const short = (name: string): string => (name.length > 28 ? `${name.slice(0, 27)}…` : name);

interface Point {
  x: number;
  y: number;
}

/** From a point to a stretch of a line. */
function distance({ x, y }: Point, from: Point, to: Point): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const along = ((x - from.x) * dx + (y - from.y) * dy) / (dx * dx + dy * dy || 1);
  const part = Math.max(0, Math.min(1, along));
  return Math.hypot(from.x + part * dx - x, from.y + part * dy - y);
}
