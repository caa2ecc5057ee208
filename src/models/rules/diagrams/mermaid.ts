// Mermaid: flowcharts with chains, `&`, subgraphs and labels given late; sequences, classes, entities and C4.

import { readC4 } from './c4.ts';
import { identifier, spaces, takes, until, type Cursor } from './cursor.ts';
import { connect, emptyDiagram, nodeOf, type Diagram, type DiagramNode } from './diagram.ts';

export function readMermaid(lines: readonly string[], start: number): Diagram | undefined {
  let from = 0;
  // Settings between two lines of dashes.
  if (lines[0] === '---') from = lines.indexOf('---', 1) + 1;
  while (from < lines.length && (lines[from] === '' || lines[from]!.startsWith('%%'))) from += 1;
  const kind = /^[A-Za-z0-9-]+/.exec(lines[from] ?? '')?.[0] ?? '';
  const body = lines.slice(from + 1);
  const first = start + from + 1;
  if (kind === 'graph' || kind === 'flowchart' || kind === 'flowchart-elk') return flowchart(body, first);
  if (kind === 'sequenceDiagram') return sequence(body, first);
  if (kind === 'classDiagram' || kind === 'classDiagram-v2') return classes(body, first);
  if (kind === 'erDiagram') return entities(body, first);
  if (kind.startsWith('C4')) return readC4(body, first);
  return undefined;
}

const SHAPES: readonly [open: string, close: string, shape: DiagramNode['shape']][] = [
  ['(((', ')))', 'plain'],
  ['[(', ')]', 'database'],
  ['([', '])', 'plain'],
  ['[[', ']]', 'plain'],
  ['((', '))', 'plain'],
  ['{{', '}}', 'plain'],
  ['[/', ']', 'plain'],
  ['[\\', ']', 'plain'],
  ['[', ']', 'plain'],
  ['(', ')', 'plain'],
  ['{', '}', 'plain'],
  ['>', ']', 'plain'],
];

function flowchart(lines: readonly string[], start: number): Diagram {
  const diagram = emptyDiagram();
  const groups: string[] = [];
  lines.forEach((raw, index) => {
    const line = start + index;
    const word = /^[A-Za-z]+/.exec(raw)?.[0];
    if (raw === '' || raw.startsWith('%%')) return;
    if (word === 'subgraph') return openGroup(diagram, groups, raw.slice(8).trim(), line);
    if (raw === 'end' || raw === 'end;') {
      groups.pop();
      return;
    }
    if (
      word !== undefined &&
      /^(?:style|classDef|class|click|linkStyle|direction)$/.test(word) &&
      /^\w+ /.test(raw)
    )
      return;
    for (const statement of statements(raw)) chain(diagram, statement, { line, group: groups.at(-1) });
  });
  return diagram;
}

function openGroup(diagram: Diagram, groups: string[], text: string, line: number): void {
  const cursor: Cursor = { text, at: 0 };
  const id = identifier(cursor);
  spaces(cursor);
  const named = takes(cursor, '[') ? until(cursor, ']') : undefined;
  const label = unquote(named ?? text);
  const key = named === undefined ? label : id;
  diagram.groups.set(key, { label, line, group: groups.at(-1) });
  groups.push(key);
}

/** A semicolon ends a statement outside quotes and boxes. */
function statements(line: string): string[] {
  if (!line.includes(';')) return [line];
  const found: string[] = [];
  let from = 0;
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < line.length; at++) {
    const one = line[at]!;
    if (one === '"') quoted = !quoted;
    else if (quoted) continue;
    else if ('[({|'.includes(one)) depth += one === '|' ? (depth % 2 === 0 ? 1 : -1) : 1;
    else if ('])}'.includes(one)) depth -= 1;
    else if (one === ';' && depth <= 0) {
      found.push(line.slice(from, at).trim());
      from = at + 1;
    }
  }
  found.push(line.slice(from).trim());
  return found.filter(Boolean);
}

interface Place {
  line: number;
  group: string | undefined;
}

function chain(diagram: Diagram, text: string, place: Place): void {
  const cursor: Cursor = { text, at: 0 };
  let left = nodes(diagram, cursor, place);
  while (left.length > 0) {
    const edge = arrow(cursor);
    if (!edge) return;
    const right = nodes(diagram, cursor, place);
    for (const a of left)
      for (const b of right) {
        const { label, meaning } = edge;
        if (edge.ahead) diagram.edges.push({ from: a, to: b, label, line: place.line, meaning });
        if (edge.back) diagram.edges.push({ from: b, to: a, label, line: place.line, meaning });
      }
    left = right;
  }
}

function nodes(diagram: Diagram, cursor: Cursor, place: Place): string[] {
  const found: string[] = [];
  do {
    spaces(cursor);
    const id = identifier(cursor);
    if (id === '') return found;
    let label: string | undefined;
    let shape: DiagramNode['shape'] = 'plain';
    if (takes(cursor, '@{')) label = /label: *"([^"]{1,80})"/.exec(until(cursor, '}') ?? '')?.[1];
    else {
      const opened = SHAPES.find(([open]) => cursor.text.startsWith(open, cursor.at));
      if (opened) {
        cursor.at += opened[0].length;
        label = boxed(cursor, opened[1]);
        shape = opened[2];
        if (label === undefined) return found;
      }
    }
    if (takes(cursor, ':::')) identifier(cursor);
    nodeOf(diagram, id, { ...place, label: unquoted(label), shape });
    found.push(id);
    spaces(cursor);
  } while (takes(cursor, '&'));
  return found;
}

/** A quoted label may hold the mark that closes the box. */
function boxed(cursor: Cursor, close: string): string | undefined {
  if (cursor.text[cursor.at] === '"') {
    cursor.at += 1;
    const label = until(cursor, '"');
    return label === undefined || until(cursor, close) === undefined ? undefined : label;
  }
  return until(cursor, close)?.replace(/[/\\]$/, '');
}

/** `-->`, `-.->`, `==>`, `---`, `<-->`, `--o`; with a label between bars or inside the line. */
function arrow(
  cursor: Cursor,
): { label: string | undefined; ahead: boolean; back: boolean; meaning: 'arrow' | 'line' } | undefined {
  spaces(cursor);
  const from = cursor.at;
  const back = takes(cursor, '<');
  const body = line(cursor);
  if (body === '') {
    cursor.at = from;
    return undefined;
  }
  let head =
    takes(cursor, '>') ||
    (body.length > 1 &&
      /^[ox][ |]/.test(cursor.text.slice(cursor.at, cursor.at + 2)) &&
      (cursor.at += 1) > 0);
  let label: string | undefined;
  if (!head && body.length <= 3) {
    // "-- text -->": the line goes on behind the words.
    const rest = cursor.text.slice(cursor.at);
    const next = /(?:--+|\.-+|==+)>?/.exec(rest);
    const words = next ? rest.slice(0, next.index).trim() : '';
    if (next && words !== '' && !words.startsWith('|') && words.length <= 120) {
      label = words;
      cursor.at += next.index + next[0].length;
      head = next[0].endsWith('>');
    }
  }
  spaces(cursor);
  if (takes(cursor, '|')) label = until(cursor, '|');
  return {
    label: unquoted(label),
    ahead: head || !back,
    back,
    meaning: head || back ? 'arrow' : 'line',
  };
}

function line(cursor: Cursor): string {
  const from = cursor.at;
  while ('-.=~'.includes(cursor.text[cursor.at] ?? ' ')) cursor.at += 1;
  return cursor.at - from > 1 ? cursor.text.slice(from, cursor.at) : ((cursor.at = from), '');
}

export function unquote(text: string): string {
  const bare = text.trim();
  return bare.length > 1 && /^["'`]/.test(bare) && bare.at(-1) === bare[0] ? bare.slice(1, -1).trim() : bare;
}

function unquoted(text: string | undefined): string | undefined {
  return text === undefined ? undefined : unquote(text);
}

function sequence(lines: readonly string[], start: number): Diagram {
  const diagram = emptyDiagram();
  lines.forEach((raw, index) => {
    const line = start + index;
    const declared = /^(?:create )?(participant|actor) ([^\s:]{1,60})(?: as (.{1,80}))?$/.exec(raw);
    if (declared) {
      const [, kind, id, label] = declared;
      nodeOf(diagram, id!, {
        label: unquoted(label),
        shape: kind === 'actor' ? 'person' : 'plain',
        line,
      });
      return;
    }
    message(diagram, raw, line);
  });
  return diagram;
}

/** `A->>B: text`; an arrow with two dashes is the answer to a call. */
function message(diagram: Diagram, raw: string, line: number): void {
  const colon = raw.indexOf(':');
  const head = colon === -1 ? raw : raw.slice(0, colon);
  const dash = head.indexOf('-');
  if (dash < 1 || head[dash + 1] === '-') return;
  const found = /^-(?:>>|>|\)|x)[+-]?/.exec(head.slice(dash));
  if (!found) return;
  const from = unquote(head.slice(0, dash));
  const to = unquote(head.slice(dash + found[0].length));
  if (from === '' || to === '' || from.length > 60 || to.length > 60 || from === to) return;
  const label = colon === -1 ? undefined : raw.slice(colon + 1).trim();
  connect(diagram, { from, to, label: label?.slice(0, 120), line, meaning: 'arrow' });
}

function classes(lines: readonly string[], start: number): Diagram {
  const diagram = emptyDiagram();
  let inside = false;
  lines.forEach((raw, index) => {
    const line = start + index;
    if (inside) {
      inside = !raw.includes('}');
      return;
    }
    const declared = /^class ([\w~-]{1,60})(?: *\["([^"]{1,60})"\])?/.exec(raw);
    if (declared) {
      nodeOf(diagram, declared[1]!, { label: declared[2], line });
      inside = raw.includes('{') && !raw.includes('}');
      return;
    }
    classLine(diagram, raw, line);
  });
  return diagram;
}

/** `A <|-- B`, `A *-- B`, `A ..|> B : text`; shared with PlantUML. */
export function classLine(diagram: Diagram, raw: string, line: number): boolean {
  const cursor: Cursor = { text: raw, at: 0 };
  const left = classEnd(cursor);
  spaces(cursor);
  if (takes(cursor, '"')) until(cursor, '"');
  spaces(cursor);
  const from = cursor.at;
  while ('<|*o-.>'.includes(cursor.text[cursor.at] ?? ' ') && cursor.at - from < 12) cursor.at += 1;
  const link = cursor.text.slice(from, cursor.at);
  spaces(cursor);
  if (takes(cursor, '"')) until(cursor, '"');
  spaces(cursor);
  const right = classEnd(cursor);
  if (left === '' || right === '' || !/--|\.\./.test(link)) return false;
  spaces(cursor);
  const label = takes(cursor, ':') ? cursor.text.slice(cursor.at).trim() : undefined;
  const extending = link.includes('|');
  const owning = link.includes('*') || link.includes('o');
  // The triangle points at what is extended, the diamond stands at the whole.
  const turned = extending ? link.startsWith('<|') : owning ? /^[*o]/.test(link) : link.startsWith('<');
  const [source, target] = turned ? [right, left] : [left, right];
  const meaning = extending ? 'extends' : owning ? 'part' : /[<>]/.test(link) ? 'arrow' : 'line';
  connect(diagram, { from: source, to: target, label, line, meaning });
  return true;
}

function classEnd(cursor: Cursor): string {
  spaces(cursor);
  return identifier(cursor);
}

/** `CUSTOMER ||--o{ ORDER : places` */
function entities(lines: readonly string[], start: number): Diagram {
  const diagram = emptyDiagram();
  lines.forEach((raw, index) => {
    const found =
      /^([\w-]{1,60}|"[^"]{1,60}") +([|}o]{1,2})(?:--|\.\.)([|{o]{1,2}) +([\w-]{1,60}|"[^"]{1,60}")(?: *: *(.{1,80}))?$/.exec(
        raw,
      );
    if (!found) return;
    const [from, to] = [unquote(found[1]!), unquote(found[4]!)];
    connect(diagram, { from, to, label: unquoted(found[5]), line: start + index, meaning: 'arrow' });
  });
  return diagram;
}
