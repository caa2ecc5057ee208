// The picture of the graph. Loaded only when the graph view opens; nothing it shows is known only here, the lists
// beside it say the same in words.

import cytoscape from 'cytoscape';
import { createSheet, type Label } from './graph-labels.ts';
import { layoutOf } from './graph-layout.ts';
import type { Drawn, GraphModel } from './graph-model.ts';
import { relationLabel } from './graph-panel.ts';

export interface Picture {
  update(model: GraphModel, hidden: ReadonlySet<string>): void;
  select(name: string | undefined): void;
  /** Brings a trace or a path forward; nothing: everything is equal again. */
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

/** Beyond this, arrows and curves are left to who zooms in: a picture that follows the hand is worth more. */
const MANY = 600;
/** With more lines in view, words on them would lie over each other; the list beside the picture has them. */
const WORDED = 6;

export function createPicture({ place, onEntity, onRelation, colourOf }: PictureOptions): Picture {
  const graph = cytoscape({
    container: place,
    minZoom: 0.03,
    maxZoom: 3,
    boxSelectionEnabled: false,
    selectionType: 'single',
    // While the picture moves its edges rest, or thousands of them would hold it up.
    hideEdgesOnViewport: true,
    pixelRatio: 1.5,
    style: styles(place),
  });
  const ink = getComputedStyle(place);
  const sheet = createSheet(place, {
    text: ink.getPropertyValue('--text').trim(),
    ground: ink.getPropertyValue('--surface').trim(),
  });
  graph.on('tap', 'node', (event) =>
    onEntity((event.target as cytoscape.NodeSingular).data('name') as string),
  );
  graph.on('tap', 'edge', (event) => onRelation((event.target as cytoscape.EdgeSingular).id().slice(2)));
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const nodeId = (name: string): string => `n:${name}`;
  let waiting = false;
  graph.on('render', () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      drawLabels();
    });
  });

  function drawLabels(): void {
    const labels: Label[] = [];
    const { x1, x2, y1, y2 } = graph.extent();
    const zoom = graph.zoom();
    const pan = graph.pan();
    graph.nodes().forEach((node) => {
      const { x, y } = node.position();
      if (x < x1 || x > x2 || y < y1 || y > y2 || node.hasClass('hidden')) return;
      const forward = node.hasClass('chosen') || node.hasClass('forward');
      if (node.hasClass('back') && !forward) return;
      const size = node.data('size') as number;
      labels.push({
        text: node.data('label') as string,
        x: x * zoom + pan.x,
        below: (y + size / 2) * zoom + pan.y + 2,
        above: (y - size / 2) * zoom + pan.y - 2,
        weight: (forward ? 1_000 : 0) + size,
        strong: forward,
      });
    });
    sheet.draw(labels);
  }

  /** New nodes find their places among each other; what was there before keeps its own. */
  function spread(model: GraphModel): void {
    const fresh = graph.nodes().filter((node) => !node.scratch('placed'));
    if (fresh.empty()) return;
    const whole = fresh.length > graph.nodes().length / 2;
    const names = [...model.entities.values()]
      .toSorted((a, b) => b.relationCount - a.relationCount)
      .map((entity) => entity.name);
    if (whole) {
      const at = new Map(names.map((name, index) => [name, index]));
      const edges = [...model.relations.values()].map((one): [number, number] => [
        at.get(one.source)!,
        at.get(one.target)!,
      ]);
      const spots = layoutOf(names.length, edges);
      graph.batch(() => {
        for (const [index, name] of names.entries())
          graph.getElementById(nodeId(name)).position(spots[index]!).scratch('placed', true);
      });
      return;
    }
    fresh.forEach((node, index) => {
      const known = node.neighborhood('node').filter((one) => Boolean(one.scratch('placed')));
      const from = known.nonempty()
        ? (known.first() as unknown as cytoscape.NodeSingular).position()
        : { x: 0, y: 0 };
      const angle = index * 2.4;
      const radius = 70 + 9 * Math.sqrt(index);
      node.position({ x: from.x + radius * Math.cos(angle), y: from.y + radius * Math.sin(angle) });
      node.scratch('placed', true);
    });
  }

  return {
    update(model, hidden) {
      const many = model.entities.size > MANY;
      graph.batch(() => {
        const added: cytoscape.ElementDefinition[] = [];
        for (const entity of model.entities.values()) {
          const data = {
            name: entity.name,
            label: short(entity.name),
            colour: colourOf(entity.type),
            size: 16 + Math.min(34, 5 * Math.sqrt(entity.relationCount)),
          };
          const node = graph.getElementById(nodeId(entity.name));
          if (node.empty())
            added.push({
              group: 'nodes',
              data: { id: nodeId(entity.name), ...data },
              ...(hidden.has(entity.type) ? { classes: 'hidden' } : {}),
            });
          else {
            if (node.data('colour') !== data.colour || node.data('size') !== data.size) node.data(data);
            if (node.hasClass('hidden') !== hidden.has(entity.type)) node.toggleClass('hidden');
          }
        }
        for (const [key, { source, target, type }] of model.relations) {
          if (graph.getElementById(`e:${key}`).nonempty()) continue;
          const label = relationLabel(type);
          added.push({
            group: 'edges',
            data: { id: `e:${key}`, source: nodeId(source), target: nodeId(target), label },
            ...(many ? { classes: 'plain' } : {}),
          });
        }
        if (added.length > 0) graph.add(added);
      });
      spread(model);
    },
    select(name) {
      graph.elements('.chosen, .near').removeClass('chosen near worded');
      if (name === undefined) return;
      const node = graph.getElementById(nodeId(name));
      node.addClass('chosen');
      const edges = node.connectedEdges().addClass('near');
      if (edges.length <= WORDED) edges.addClass('worded');
      if (node.empty()) return;
      const { x1, x2, y1, y2 } = graph.extent();
      const { x, y } = node.position();
      if (x < x1 || x > x2 || y < y1 || y > y2) graph.center(node);
    },
    bring(drawn) {
      graph.elements('.forward, .back').removeClass('forward back');
      if (!drawn) return;
      graph.elements('.worded').removeClass('worded');
      graph.elements().addClass('back');
      const ids = [...drawn.nodes.map(nodeId), ...drawn.edges.map((key) => `e:${key}`)];
      const forward = ids.reduce((all, id) => all.union(graph.getElementById(id)), graph.collection());
      forward.removeClass('back').addClass(drawn.edges.length <= WORDED ? 'forward worded' : 'forward');
      if (forward.nonempty()) moveTo(forward);
    },
    fit: () => void graph.resize().fit(undefined, 36),
    zoom(factor) {
      graph.zoom({
        level: graph.zoom() * factor,
        renderedPosition: { x: graph.width() / 2, y: graph.height() / 2 },
      });
    },
  };

  function moveTo(elements: cytoscape.CollectionReturnValue): void {
    const padding = narrow(place) ? 34 : 60;
    graph.resize();
    if (still) graph.fit(elements, padding);
    else graph.animate({ fit: { eles: elements, padding }, duration: 250 });
    if (graph.zoom() > 1.4)
      graph.zoom({ level: 1.4, renderedPosition: { x: graph.width() / 2, y: graph.height() / 2 } });
  }
}

/** No room for words on the lines; the list below has them. */
const narrow = (place: HTMLElement): boolean => place.clientWidth < 560;

const short = (name: string): string => (name.length > 28 ? `${name.slice(0, 27)}…` : name);

function styles(place: HTMLElement): cytoscape.StylesheetJson {
  const computed = getComputedStyle(place);
  const read = (name: string): string => computed.getPropertyValue(name).trim();
  return [
    {
      selector: 'node',
      style: {
        'background-color': 'data(colour)',
        width: 'data(size)',
        height: 'data(size)',
        'border-width': 2,
        'border-color': read('--surface'),
      },
    },
    {
      selector: 'edge',
      style: {
        width: 1.4,
        'line-color': read('--edge'),
        'target-arrow-color': read('--edge'),
        'target-arrow-shape': 'triangle',
        'arrow-scale': 0.8,
        'curve-style': 'bezier',
      },
    },
    { selector: 'edge.plain', style: { 'curve-style': 'haystack', 'target-arrow-shape': 'none', width: 1 } },
    {
      selector: 'edge.near, edge.forward',
      style: {
        width: 2,
        'curve-style': 'bezier',
        'target-arrow-shape': 'triangle',
        'line-color': read('--accent'),
        'target-arrow-color': read('--accent'),
      },
    },
    {
      selector: 'edge.worded',
      style: {
        label: narrow(place) ? '' : 'data(label)',
        'font-size': 11,
        'font-family': computed.fontFamily,
        'min-zoomed-font-size': 13,
        color: read('--muted'),
        'text-background-color': read('--surface'),
        'text-background-opacity': 0.9,
        'text-background-padding': '2px',
        'text-rotation': 'autorotate',
      },
    },
    {
      selector: 'node.chosen',
      style: { 'border-color': read('--accent'), 'border-width': 5 },
    },
    { selector: 'edge.forward', style: { width: 3 } },
    { selector: 'node.forward', style: { 'border-color': read('--accent'), 'border-width': 3 } },
    { selector: '.back', style: { opacity: 0.18 } },
    { selector: '.hidden', style: { display: 'none' } },
  ] as cytoscape.StylesheetJson;
}
