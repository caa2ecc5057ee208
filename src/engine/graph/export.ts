// The graph as text for other tools: JSON, CSV, DOT, Mermaid, GraphML. Names come from documents, so each format's
// quoting is done here and nowhere else.

import type { Entity, Relation } from '../../domain/graph.ts';
import type { Evidenced, ShownEvidence } from './types.ts';

export const EXPORT_FORMATS = ['json', 'csv', 'dot', 'mermaid', 'graphml'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** What is exported, each with the first places that say so. */
export interface GraphData {
  entities: (Entity & Evidenced)[];
  relations: (Relation & Evidenced)[];
}

export function formatGraph(data: GraphData, format: ExportFormat): string {
  switch (format) {
    case 'json':
      return toJson(data);
    case 'csv':
      return toCsv(data);
    case 'dot':
      return toDot(data);
    case 'mermaid':
      return toMermaid(data);
    case 'graphml':
      return toGraphml(data);
  }
}

function toJson({ entities, relations }: GraphData): string {
  const shown = {
    entities: entities.map(({ name, type, description, fields, aliases, mentions, by, evidence }) => ({
      ...{ name, type, description, fields, aliases, mentions, by },
      evidence: evidence.map(shownPlace),
    })),
    relations: relations.map(
      ({ source, target, type, description, keywords, fields, mentions, confidence, by, evidence }) => ({
        ...{ source: source.name, type, target: target.name, description, keywords, fields, mentions },
        ...{ confidence, by },
        evidence: evidence.map(shownPlace),
      }),
    ),
  };
  return `${JSON.stringify(shown, null, 2)}\n`;
}

function shownPlace({ citation, by }: ShownEvidence): { citation: string; by?: string } {
  return { citation, ...(by === undefined ? {} : { by }) };
}

function citations({ evidence }: Evidenced): string {
  return evidence.map(({ citation }) => citation).join('; ');
}

/** One table of relations, then entities without any; a leading quote keeps a spreadsheet from running a formula. */
function toCsv({ entities, relations }: GraphData): string {
  const types = new Map(entities.map((entity) => [entity.key, entity.type]));
  const linked = new Set(relations.flatMap((relation) => [relation.source.key, relation.target.key]));
  const rows = [
    [
      ...['source', 'source_type', 'relation', 'target', 'target_type', 'mentions', 'description'],
      ...['confidence', 'by', 'evidence'],
    ],
    ...relations.map((relation) => [
      relation.source.name,
      types.get(relation.source.key) ?? '',
      relation.type,
      relation.target.name,
      types.get(relation.target.key) ?? '',
      String(relation.mentions),
      relation.description,
      String(relation.confidence),
      relation.by.join(' '),
      citations(relation),
    ]),
    ...entities
      .filter((entity) => !linked.has(entity.key))
      .map((entity) => [
        ...[entity.name, entity.type, '', '', '', String(entity.mentions), entity.description],
        ...['', entity.by.join(' '), citations(entity)],
      ]),
  ];
  return `${rows.map((row) => row.map(csvCell).join(',')).join('\r\n')}\r\n`;
}

function csvCell(value: string): string {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function toDot({ entities, relations }: GraphData): string {
  const quote = (text: string) =>
    `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll(/\s+/g, ' ')}"`;
  const lines = [
    'digraph knowledge {',
    '  rankdir=LR;',
    ...entities.map(
      (entity) =>
        `  ${quote(entity.name)} [label=${quote(`${entity.name}\\n${entity.type}`).replaceAll('\\\\n', '\\n')}];`,
    ),
    ...relations.map(
      (relation) =>
        `  ${quote(relation.source.name)} -> ${quote(relation.target.name)} [label=${quote(relation.type)}];`,
    ),
    '}',
  ];
  return `${lines.join('\n')}\n`;
}

function toMermaid({ entities, relations }: GraphData): string {
  const ids = new Map(entities.map((entity, at) => [entity.key, `n${at}`]));
  const text = (value: string) =>
    value
      .replaceAll(/\s+/g, ' ')
      .replaceAll('&', '#amp;')
      .replaceAll('"', '#quot;')
      .replaceAll('<', '#lt;')
      .replaceAll('>', '#gt;')
      .replaceAll('`', '#96;');
  const lines = [
    'graph LR',
    ...entities.map((entity) => {
      const label = `"${text(entity.name)}"`;
      return `  ${ids.get(entity.key)}${/DATABASE|STORE/.test(entity.type) ? `[(${label})]` : `[${label}]`}`;
    }),
    ...relations.flatMap((relation) => {
      const [source, target] = [ids.get(relation.source.key), ids.get(relation.target.key)];
      return source && target ? [`  ${source} -->|"${text(relation.type)}"| ${target}`] : [];
    }),
  ];
  return `${lines.join('\n')}\n`;
}

function toGraphml({ entities, relations }: GraphData): string {
  const xml = (value: string) =>
    value
      // Characters that XML 1.0 has no place for.
      // eslint-disable-next-line no-control-regex
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;');
  const ids = new Map(entities.map((entity, at) => [entity.key, `n${at}`]));
  const keys = ['name', 'type', 'description', 'by', 'evidence'].map(
    (name) => `  <key id="${name}" for="all" attr.name="${name}" attr.type="string"/>`,
  );
  const data = (name: string, value: string) => `<data key="${name}">${xml(value)}</data>`;
  const sources = (one: Evidenced & { by: readonly string[] }) =>
    data('by', one.by.join(' ')) + data('evidence', citations(one));
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    ...keys,
    '  <graph edgedefault="directed">',
    ...entities.map(
      (entity) =>
        `    <node id="${ids.get(entity.key)}">${data('name', entity.name)}${data('type', entity.type)}${data('description', entity.description)}${sources(entity)}</node>`,
    ),
    ...relations.flatMap((relation, at) => {
      const [source, target] = [ids.get(relation.source.key), ids.get(relation.target.key)];
      if (!source || !target) return [];
      return [
        `    <edge id="e${at}" source="${source}" target="${target}">${data('type', relation.type)}${data('description', relation.description)}${sources(relation)}</edge>`,
      ];
    }),
    '  </graph>',
    '</graphml>',
  ];
  return `${lines.join('\n')}\n`;
}
