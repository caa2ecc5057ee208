// The graph as a picture with words beside it: filter by type, open an entity and its evidence, draw a trace or a path.

import type { App, View } from '../app.ts';
import { button, choices, field, form, h, link, paragraph, replace, viewFrame } from '../core/dom.ts';
import { count } from '../core/format.ts';
import { formatHash } from '../core/hash.ts';
import { colour } from '../core/theme.ts';
import {
  loadEntity,
  loadMap,
  loadPath,
  loadTrace,
  searchEntities,
  type GraphMap,
} from '../parts/graph-load.ts';
import { createModel, type Drawn } from '../parts/graph-model.ts';
import {
  dot,
  entityPanel,
  pathPanel,
  relationPanel,
  tracePanel,
  typeLabel,
  type PanelActions,
} from '../parts/graph-panel.ts';
import type { Picture } from '../parts/graph-draw.ts';
import { busy, empty, showError } from '../parts/notice.ts';

const TONES = 7;
/** How many of the most connected entities are drawn. */
const SIZES = [100, 500, 2_000, 5_000];

export function graphView(app: App): View {
  const model = createModel();
  let totals: GraphMap['totals'] = { entities: 0, relations: 0, byType: {} };
  const hidden = new Set<string>();
  const lede = h('p', { class: 'lede' });
  const canvas = h('div', {
    class: 'graph-canvas',
    attrs: { role: 'img', 'aria-label': 'Picture of the graph. The lists beside it hold the same in words.' },
  });
  const filters = h('div', { class: 'filters', attrs: { role: 'group', 'aria-label': 'Types shown' } });
  const panel = h('div', { class: 'graph-panel', attrs: { 'aria-live': 'polite' } });
  const names = h('datalist', { id: 'entity-names' });
  const from = h('input', { attrs: { list: 'entity-names', autocomplete: 'off', required: true } });
  const to = h('input', { attrs: { list: 'entity-names', autocomplete: 'off', required: true } });
  const many = h('select', { attrs: { 'aria-label': 'Entities drawn' } });
  const thin = h('p', { class: 'notice', attrs: { hidden: true } });
  const body = h('div', { class: 'graph-body' });
  const element = viewFrame('graph', { title: 'Graph', lede, beside: [many] }, thin, body);
  let picture: Picture | undefined;
  let started = false;
  const colourOf = tonesByType();
  const actions: PanelActions = {
    open: (name) => app.go('graph', { e: name }),
    trace: (name, direction) => app.go('graph', { e: name, trace: direction }),
    pathFrom: (name) => {
      from.value = name;
      to.focus();
    },
    colourOf,
  };

  function redraw(drawn?: Drawn, selected?: string): void {
    // The filters come first: they decide how much room the picture has.
    drawFilters();
    picture?.update(model, hidden);
    picture?.select(selected);
    picture?.bring(drawn);
    replace(names, ...choices([...model.entities.keys()].slice(0, 500).map((name) => [name, ''])));
  }

  function drawFilters(): void {
    replace(
      filters,
      ...byCount(totals.byType).map(([type, known]) => {
        const toggle = h(
          'button',
          { class: 'filter', attrs: { type: 'button', 'aria-pressed': String(!hidden.has(type)) } },
          dot(colourOf(type)),
          `${typeLabel(type)} ${count(known)}`,
        );
        toggle.addEventListener('click', () => {
          if (!hidden.delete(type)) hidden.add(type);
          toggle.setAttribute('aria-pressed', String(!hidden.has(type)));
          picture?.update(model, hidden);
        });
        return toggle;
      }),
    );
  }

  async function start(): Promise<void> {
    replace(body, busy('Drawing the graph…'));
    const [{ createPicture }] = await Promise.all([import('../parts/graph-draw.ts'), load(SIZES[0]!)]);
    if (model.entities.size === 0) {
      replace(body, noGraph(app));
      return;
    }
    started = true;
    replace(body, side(), h('div', { class: 'graph-stage' }, filters, canvas, tools()), panel);
    picture = createPicture({
      place: canvas,
      colourOf,
      onEntity: actions.open,
      onRelation: (key) => {
        const relation = model.relations.get(key);
        if (relation) replace(panel, relationPanel(relation, actions));
      },
    });
    redraw();
    picture.fit();
  }

  async function load(limit: number): Promise<void> {
    const map = await loadMap(app.server, model, limit);
    totals = map.totals;
    const { entities, relations } = totals;
    lede.textContent = `${count(entities)} entities, ${count(relations)} relations. ${drawnWords(map.entities.length, entities, limit)}`;
    const sizes = SIZES.filter((_, at) => at === 0 || SIZES[at - 1]! < entities);
    many.hidden = sizes.length < 2;
    const offered = sizes.map((size) => [size, `Draw ${count(Math.min(size, entities))}`] as const);
    replace(many, ...choices(offered, limit));
    thin.hidden = entities === 0 || relations >= entities / 4;
    thin.textContent = `This graph is thin: ${count(relations)} relations for ${count(entities)} entities. Only what the texts state in plain sentences, tables and drawings is read; a trace or path that finds nothing proves nothing.`;
  }

  function side(): HTMLElement {
    const path = form(
      { class: 'path-form', attrs: { 'aria-label': 'Path between two entities' } },
      () => app.go('graph', { from: from.value.trim(), to: to.value.trim() }),
      h('h2', {}, 'Path'),
      field('From', from),
      field('To', to),
      h('button', { attrs: { type: 'submit' } }, 'Draw path'),
    );
    return h('div', { class: 'graph-side' }, ...finder(app, actions.open), path, names);
  }

  function tools(): HTMLElement {
    return h(
      'div',
      { class: 'graph-tools' },
      button('+', () => picture?.zoom(1.3), { attrs: { 'aria-label': 'Zoom in' } }),
      button('−', () => picture?.zoom(1 / 1.3), { attrs: { 'aria-label': 'Zoom out' } }),
      button('Fit', () => picture?.fit()),
      button('Clear', () => app.go('graph')),
    );
  }

  let latest = 0;
  async function act(params: Record<string, string>): Promise<void> {
    const { e, trace, from: source, to: target } = params;
    const mine = (latest += 1);
    // An answer that comes after the next choice is not shown.
    const overtaken = (): boolean => mine !== latest;
    if (source && target) {
      from.value = source;
      to.value = target;
      const path = await loadPath(app.server, model, { from: source, to: target });
      if (overtaken()) return;
      redraw(path.drawn);
      replace(panel, pathPanel(path, actions));
    } else if (e && (trace === 'upstream' || trace === 'downstream' || trace === 'impact')) {
      const answer = await loadTrace(app.server, model, { entity: e, direction: trace });
      if (overtaken()) return;
      redraw(answer.drawn, answer.resolved.name);
      replace(panel, tracePanel(answer, actions));
    } else if (e) {
      const known = model.entities.get(e);
      // What is known is there at once; evidence follows when the server has answered.
      if (known) {
        picture?.select(e);
        replace(panel, entityPanel(model, known, actions));
      }
      const { name } = await loadEntity(app.server, model, e);
      if (overtaken()) return;
      redraw(undefined, name);
      replace(panel, entityPanel(model, model.entities.get(name)!, actions));
    } else {
      redraw();
      picture?.fit();
      const none = 'Choose an entity to see its relations and where they are stated.';
      replace(panel, h('p', { class: 'none' }, none));
    }
  }

  many.addEventListener('change', () => {
    load(Number(many.value))
      .then(() => {
        redraw();
        picture?.fit();
      })
      .catch((error: unknown) => showError(panel, error));
  });

  return {
    element,
    title: 'Graph',
    show(params) {
      if (!app.tools.has('flowrag_entities')) {
        const how =
          'This server does not serve the flowrag toolset. Start it with --toolsets vai,blz,flowrag.';
        return replace(body, empty('No graph here', paragraph(how)));
      }
      const ready = started ? Promise.resolve() : start();
      ready
        .then(() => (started ? act(params) : undefined))
        .catch((error: unknown) => showError(started ? panel : body, error));
    },
    onKey(event) {
      if (!picture || event.target instanceof HTMLInputElement) return false;
      if (event.key === '+' || event.key === '=') picture.zoom(1.3);
      else if (event.key === '-') picture.zoom(1 / 1.3);
      else if (event.key === '0') picture.fit();
      else if (event.key === 'Escape') app.go('graph');
      else return false;
      return true;
    },
  };
}

/** A tone for each type, in the order they are met. */
function tonesByType(): (type: string) => string {
  const tones = new Map<string, string>();
  let named = 0;
  return (type) => {
    const known = tones.get(type);
    if (known !== undefined) return known;
    // The last tone is grey, for what has no type of its own.
    const tone = colour(`--tone-${type === 'OTHER' ? TONES : named++ % TONES}`);
    tones.set(type, tone);
    return tone;
  };
}

/** A field and the entities whose names fit it; all of them at first. */
function finder(app: App, open: (name: string) => void): HTMLElement[] {
  const input = h('input', {
    attrs: { type: 'search', autocomplete: 'off', spellcheck: 'false', placeholder: 'Name of an entity' },
  });
  const found = h('ul', { class: 'found' });
  let looking = new AbortController();
  async function find(): Promise<void> {
    looking.abort();
    looking = new AbortController();
    try {
      const entities = await searchEntities(app.server, input.value.trim(), looking.signal);
      const rows = entities.map(({ name, type }) => {
        const label = h('span', { class: 'hint' }, typeLabel(type));
        return h(
          'li',
          {},
          button(name, () => open(name), { class: 'linkish' }),
          label,
        );
      });
      replace(found, ...rows);
    } catch (error) {
      showError(found, error);
    }
  }
  input.addEventListener('input', () => void find());
  void find();
  return [field('Find', input), found];
}

function drawnWords(drawn: number, all: number, limit: number): string {
  if (drawn === all) return 'All are drawn.';
  return all > limit
    ? `The ${count(drawn)} most connected are drawn.`
    : `The ${count(drawn)} that have relations are drawn.`;
}

/** Types by how many entities there are of each, most first. */
function byCount(types: Readonly<Record<string, number>>): [string, number][] {
  return Object.entries(types).sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
}

function noGraph(app: App): HTMLElement {
  return empty(
    'The graph is empty',
    paragraph('Entities and relations are read out of the documents of a collection on demand.'),
    app.may('graph')
      ? paragraph(
          'Build it from a collection: ',
          link('Collections', formatHash('collections')),
          ', Manage, Build graph.',
        )
      : paragraph('From a terminal: ', h('code', {}, 'vai graph build <collection>')),
  );
}
