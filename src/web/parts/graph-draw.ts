// The picture of the graph. Loaded only when the graph view opens; nothing it shows is known only here, the lists
// beside it say the same in words.

import cytoscape from 'cytoscape';
import type { Drawn, GraphModel } from './graph-model.ts';

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

export function createPicture({ place, onEntity, onRelation, colourOf }: PictureOptions): Picture {
  const graph = cytoscape({
    container: place,
    minZoom: 0.2,
    maxZoom: 3,
    boxSelectionEnabled: false,
    selectionType: 'single',
    style: styles(place),
  });
  graph.on('tap', 'node', (event) =>
    onEntity((event.target as cytoscape.NodeSingular).data('name') as string),
  );
  graph.on('tap', 'edge', (event) => onRelation((event.target as cytoscape.EdgeSingular).id().slice(2)));
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const nodeId = (name: string): string => `n:${name}`;

  function layout(): void {
    // A narrow picture keeps its parts closer, so that the names stay readable when it is fitted.
    const room = narrow(place) ? 0.7 : 1;
    graph
      .layout({
        name: 'cose',
        animate: false,
        randomize: false,
        padding: 28,
        nodeRepulsion: () => 70_000 * room * room,
        idealEdgeLength: () => 80 * room,
        nodeOverlap: 30,
        gravity: 0.6,
        numIter: 2_500,
        componentSpacing: 70,
      })
      .run();
  }

  function spread(model: GraphModel): void {
    // A start on a circle in a fixed order, so that the same graph gives the same picture.
    const names = [...model.entities.keys()];
    graph.nodes().forEach((node) => {
      if (node.scratch('placed')) return;
      const at = names.indexOf(node.data('name') as string);
      const angle = (2 * Math.PI * at) / Math.max(1, names.length);
      const near = node
        .neighborhood('node')
        .filter((one) => Boolean(one.scratch('placed')))
        .first();
      const from = near.nonempty() ? (near as unknown as cytoscape.NodeSingular).position() : { x: 0, y: 0 };
      const radius = near.nonempty() ? 60 : 420;
      node.position({ x: from.x + radius * Math.cos(angle), y: from.y + radius * Math.sin(angle) });
      node.scratch('placed', true);
    });
  }

  return {
    update(model, hidden) {
      const before = graph.elements().length;
      graph.batch(() => {
        for (const entity of model.entities.values()) {
          const data = {
            name: entity.name,
            label: short(entity.name),
            colour: colourOf(entity.type),
            size: 18 + Math.min(26, 5 * Math.sqrt(entity.relationCount)),
          };
          const node = graph.getElementById(nodeId(entity.name));
          if (node.empty()) graph.add({ group: 'nodes', data: { id: nodeId(entity.name), ...data } });
          else node.data(data);
          graph.getElementById(nodeId(entity.name)).toggleClass('hidden', hidden.has(entity.type));
        }
        for (const [key, relation] of model.relations) {
          if (graph.getElementById(`e:${key}`).nonempty()) continue;
          graph.add({
            group: 'edges',
            data: {
              id: `e:${key}`,
              source: nodeId(relation.source),
              target: nodeId(relation.target),
              label: relation.type.toLowerCase().replaceAll('_', ' '),
            },
          });
        }
      });
      if (graph.elements().length !== before) {
        spread(model);
        layout();
      }
    },
    select(name) {
      graph.elements().removeClass('chosen near');
      if (name === undefined) return;
      const node = graph.getElementById(nodeId(name));
      node.addClass('chosen');
      node.connectedEdges().addClass('near');
      if (node.empty()) return;
      const { x1, x2, y1, y2 } = graph.extent();
      const { x, y } = node.position();
      if (x < x1 || x > x2 || y < y1 || y > y2) graph.center(node);
    },
    bring(drawn) {
      graph.elements().removeClass('forward back');
      if (!drawn) return;
      graph.elements().addClass('back');
      const ids = [...drawn.nodes.map(nodeId), ...drawn.edges.map((key) => `e:${key}`)];
      const forward = ids.reduce((all, id) => all.union(graph.getElementById(id)), graph.collection());
      forward.removeClass('back').addClass('forward');
      if (forward.nonempty()) moveTo(forward);
    },
    fit: () => void graph.resize().fit(undefined, 32),
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
        label: 'data(label)',
        color: read('--text'),
        'font-size': 13,
        'font-family': computed.fontFamily,
        'text-valign': 'bottom',
        'text-margin-y': 5,
        'text-outline-color': read('--surface'),
        'text-outline-width': 2,
        'min-zoomed-font-size': 6,
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
    {
      selector: 'edge.near, edge.forward',
      style: {
        label: narrow(place) ? '' : 'data(label)',
        'font-size': 11,
        color: read('--muted'),
        'text-background-color': read('--surface'),
        'text-background-opacity': 0.9,
        'text-background-padding': '2px',
        'text-rotation': 'autorotate',
        width: 2,
        'line-color': read('--accent'),
        'target-arrow-color': read('--accent'),
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
