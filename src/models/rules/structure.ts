// What a document says by its shape: whose section this is, tables of services, lists under "Dependencies",
// `Owner: …` lines and front matter.

import { findNames, type Span } from './names.ts';
import type { Piece, RuleContext } from './types.ts';

/** The thing a heading names, if it names one. */
export function headingSubject(text: string, context: RuleContext): Span | undefined {
  const plain = text
    .replaceAll(/[`*]/g, '')
    .replace(/^\d+(?:\.\d+)*[.)]?\s+/, '')
    .replace(/\s*\{#.*\}$/, '')
    .replace(/^The\s+/, '')
    .trim();
  const words = plain.split(/\s+/);
  if (plain === '' || words.length > 5) return undefined;
  const type = context.cues.typeOf(plain) ?? context.memory.get(plain.toLowerCase());
  const named = words.some((word) => /^\p{Lu}/u.test(word)) || /[-_]/.test(plain);
  // "Microservices", "Create a service": a type word after small words or a verb names nothing.
  if (
    type === undefined ||
    !named ||
    /^(?:Create|Creating|Using|Use|Configure|Configuring|Running|Run|Deploy|Deploying|Connect|Connecting|Managing|Manage|How|What|Why|When|About|Set|Setting|Install|Installing|Add|Adding|Your|A|An|Debug|Access|Accessing|Expose|Exposing|New|Publishing|Understanding|Choosing|Define|Defining|Working|Without|Multiple|Other)\b/.test(
      plain,
    )
  )
    return undefined;
  return { name: plain, type, start: 0, end: plain.length };
}

/** `Owner: Payments team`, `**Depends on:** Redis, Kafka`, `Uses Redis for sessions` about the section's subject. */
export function readKeyLine(piece: Piece, subject: Span, context: RuleContext): boolean {
  const text = piece.text.replaceAll('\n', ' ');
  const match = /^(?:\*\*|__)?([\p{L}][\p{L} -]{1,30}?)(?:\*\*|__)?\s*:(?:\*\*|__)?\s+(.{1,300})$/u.exec(
    text,
  );
  if (match) {
    const said = context.lexicon.label(match[1]!);
    const column = said ? undefined : ownerColumn(match[1]!, context);
    if (!said && !column) return false;
    return listed(
      match[2]!,
      piece.line,
      {
        subject,
        type: (said ?? column)!.type,
        reverse: (said ?? column)!.reverse,
        hint: context.cues.typeOfWord(match[1]!.split(' ').at(-1)!),
      },
      context,
    );
  }
  return false;
}

/** "Team" beside a service means who owns it. */
function ownerColumn(header: string, context: RuleContext): { type: string; reverse: boolean } | undefined {
  return /^(?:team|owner|owning team|owned by|maintainers?)$/i.test(header.trim())
    ? context.lexicon.label('owner')
    : undefined;
}

interface Link {
  subject: { name: string; type: string | undefined };
  type: string;
  reverse: boolean;
  hint: string | undefined;
}

/** Names in a comma list; every part has to be a name and nothing else, or begin with one before a remark. */
export function listed(text: string, line: number, link: Link, context: RuleContext): boolean {
  let any = false;
  for (const part of text.split(/,|;|<br\s*\/?>|\s+and\s+|\s\/\s/).slice(0, 40)) {
    const trimmed = part.trim().replace(/\.$/, '');
    const name = /^(?:the\s+)?(.+?)(?:\s+\(.*\)|\s+(?:for|to|as|via|over|–|—|-)\s.*)?$/iu.exec(trimmed)?.[1];
    if (name === undefined) continue;
    const span = wholeName(name, context, link.hint);
    if (!span) continue;
    const other = { name: span.name, type: span.type };
    context.out.relation({
      source: link.reverse ? other : link.subject,
      target: link.reverse ? link.subject : other,
      type: link.type,
      line,
      description: text.length <= 200 ? text : undefined,
    });
    any = true;
  }
  return any;
}

/** What stands in a cell where no name does. */
const NO_NAME =
  /^(?:all|any|both|default|everything|n\/a|no|none|nothing|others?|self|tbd|various|yes|[-–—])$/i;

/** The text as one name: typed by itself, or by what the column or key says it is. */
function wholeName(
  text: string,
  context: RuleContext,
  hint: string | undefined,
): { name: string; type: string | undefined } | undefined {
  const plain = text
    .replaceAll(/[`*]/g, '')
    .replace(/^\[([^\]]+)\]\([^)]*\)$/, '$1')
    .trim();
  if (plain === '' || plain.length > 80 || NO_NAME.test(plain)) return undefined;
  const spans = findNames(text, context.cues, context.memory);
  const one = spans.length === 1 ? spans[0] : undefined;
  const covers = one && text.slice(0, one.start).trim() === '' && text.slice(one.end).trim() === '';
  if (one && covers) return { name: one.name, type: one.type ?? hint };
  const type = context.cues.typeOf(plain) ?? context.memory.get(plain.toLowerCase());
  if (type !== undefined && plain.split(/\s+/).length <= 4) return { name: plain, type };
  return plain.split(/\s+/).length <= 3 &&
    /^[\p{L}\p{N}@][\p{L}\p{N}@./ _-]*$/u.test(plain) &&
    (hint !== undefined || /[-_.\p{Lu}]/u.test(plain))
    ? { name: plain, type: hint }
    : undefined;
}

/** A table whose first column names things of one type, with columns that name relations or owners. */
export function readTable(rows: readonly string[][], line: number, context: RuleContext): void {
  const header = rows[0] ?? [];
  const firstType =
    context.cues.typeOfWord(lastWord(header[0] ?? '')) ??
    (/^(?:name|component)$/i.test(header[0] ?? '') ? undefined : undefined);
  const columns = header.map((cell, index) => {
    if (index === 0) return undefined;
    const hint = context.cues.typeOfWord(lastWord(cell));
    const said = context.lexicon.label(cell) ?? ownerColumn(cell, context);
    const kept =
      said ??
      (hint !== undefined && hint === context.cues.kind('database')
        ? context.lexicon.label('uses')
        : undefined);
    return kept ? { ...kept, hint } : undefined;
  });
  if (firstType === undefined && columns.every((column) => column === undefined)) return;
  rows.slice(2).forEach((row, index) => {
    const at = line + 2 + index;
    const own = wholeName(row[0] ?? '', context, firstType);
    if (!own || own.type === undefined) return;
    context.out.entity(own.name, own.type, at);
    columns.forEach((column, position) => {
      const cell = row[position];
      if (column && cell) listed(cell, at, { subject: own, ...column }, context);
    });
  });
}

function lastWord(text: string): string {
  return (
    text
      .replaceAll(/[^\p{L}\s]/gu, '')
      .trim()
      .split(/\s+/)
      .at(-1) ?? ''
  );
}

/** Front matter keys that name the document's thing and its relations. */
export function readFront(text: string, line: number, context: RuleContext): Span | undefined {
  const pairs: { key: string; value: string; line: number }[] = [];
  text.split('\n').forEach((raw, index) => {
    const pair = /^([\w -]{1,40}):\s*(.*)$/.exec(raw);
    const item = /^\s+-\s+(.+)$/.exec(raw) ?? /^-\s+(.+)$/.exec(raw);
    if (pair) pairs.push({ key: pair[1]!.trim(), value: unquote(pair[2]!), line: line + index });
    else if (item && pairs.length > 0)
      pairs.push({ key: pairs.at(-1)!.key, value: unquote(item[1]!), line: line + index });
  });
  let subject: Span | undefined;
  for (const { key, value, line: at } of pairs) {
    const own = /^(?:title|name)$/i.test(key)
      ? context.cues.typeOf(value)
      : context.cues.typeOfWord(key) !== undefined && !/team/i.test(key)
        ? context.cues.typeOfWord(key)
        : undefined;
    if (
      subject ||
      own === undefined ||
      value === '' ||
      value.split(/\s+/).length > 4 ||
      !/[\p{Lu}_-]/u.test(value)
    )
      continue;
    subject = { name: value, type: own, start: 0, end: value.length };
    context.memory.set(value.toLowerCase(), own);
    context.out.entity(value, own, at, pairs.find((pair) => pair.key === 'description')?.value);
  }
  if (!subject) return undefined;
  for (const { key, value, line: at } of pairs) {
    if (value === '' || /^(?:title|name|description)$/i.test(key)) continue;
    const said = context.lexicon.label(key) ?? ownerColumn(key, context);
    const hint = /team|owner/i.test(key) ? context.cues.kind('team') : context.cues.typeOfWord(lastWord(key));
    if (said) listed(value.replaceAll(/^\[|\]$/g, ''), at, { subject, ...said, hint }, context);
  }
  return subject;
}

function unquote(value: string): string {
  return value.trim().replaceAll(/^["']|["']$/g, '');
}
