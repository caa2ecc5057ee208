// Finds names in a sentence: known names, typed names ("Billing Service", `orders-db`, "the billing service") and
// untyped proper names. Spans never overlap and come in reading order.

import { splitName, type Cues } from './cues.ts';
import { GENERIC } from './families.ts';

export interface Span {
  name: string;
  /** Undefined for a proper name that nothing gives a type. */
  type: string | undefined;
  /** Offsets in the sentence. */
  start: number;
  end: number;
}

interface Token {
  text: string;
  start: number;
  end: number;
  /** Written as code, bold or a link: what an author marks is a name as it stands. */
  marked: boolean;
}

const TOKEN =
  /`([^`\n]{1,80})`|\*\*([^*\n]{1,80})\*\*|\[([^\]\n]{1,80})\]\([^)\n]{1,300}\)|[\p{L}\p{N}_@][\p{L}\p{N}_]*(?:(?:['’.&/+:-]|::)[\p{L}\p{N}_]+)*/gu;
const NOT_NAMES = new Set(
  'i it its he she they we you this that these those there here the a an in on at for from to by of with as and or but if when while where what which who how why note tip warning example see also then now after before because since although however instead for each all any some no not do does use uses using yes first second third finally next today once every most many several both such other another api http url id json yaml xml csv html css ok todo faq eol tbd january february march april may june july august september october november december must shall should required recommended optional monday tuesday wednesday thursday friday saturday sunday'.split(
    ' ',
  ),
);

/** Verbs that open an instruction; before a type word they would look like its name. */
const IMPERATIVE = new Set(
  'Access Add Allow Check Choose Configure Connect Create Debug Define Delete Deploy Disable Enable Expose Get Install List Open Register Remove Require Restart Run Select Set Specify Start Stop Test Update Use Verify'.split(
    ' ',
  ),
);

function tokens(sentence: string): Token[] {
  const found: Token[] = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(sentence); match && found.length < 400; match = TOKEN.exec(sentence)) {
    const marked = match[1] ?? match[2] ?? match[3];
    found.push({
      text: (marked ?? match[0])
        .replaceAll('`', '')
        .replace(/['’]s?$/u, '')
        .trim(),
      start: match.index,
      end: match.index + match[0].length,
      marked: marked !== undefined,
    });
  }
  return found;
}

export function findNames(sentence: string, cues: Cues, memory: ReadonlyMap<string, string>): Span[] {
  const list = tokens(sentence);
  const texts = list.map((token) => token.text);
  const spans: Span[] = [];
  for (let at = 0; at < list.length;) {
    const found = nameAt(list, texts, at, { cues, memory, sentence });
    if (!found) {
      at += 1;
      continue;
    }
    spans.push({
      name: found.name,
      type: found.type,
      start: list[at]!.start,
      end: list[at + found.length - 1]!.end,
    });
    at += found.length;
  }
  return spans;
}

interface Found {
  name: string;
  type: string | undefined;
  length: number;
}

interface Context {
  cues: Cues;
  /** Names typed elsewhere in the document, by lower-case spelling. */
  memory: ReadonlyMap<string, string>;
  sentence: string;
}

function nameAt(
  list: readonly Token[],
  texts: readonly string[],
  at: number,
  context: Context,
): Found | undefined {
  const found = candidateAt(list, texts, at, context);
  // "headless Services" and "DNS servers" are many things, not one.
  return found?.type !== undefined && pluralKind(found.name, context.cues) ? undefined : found;
}

/** Whether the name's last word is a type word in the plural. */
function pluralKind(name: string, cues: Cues): boolean {
  const last = splitName(name).at(-1)!.toLowerCase();
  return (
    last.endsWith('s') &&
    cues.typeOfWord(last) !== undefined &&
    cues.typeOfWord(last.slice(0, -1)) !== undefined &&
    cues.typeOf(name) !== undefined &&
    name.includes(' ')
  );
}

function candidateAt(
  list: readonly Token[],
  texts: readonly string[],
  at: number,
  context: Context,
): Found | undefined {
  const { cues, sentence } = context;
  const token = list[at]!;
  const remembered = fromMemory(list, texts, at, context);
  if (remembered) return remembered;
  const known = cues.known(texts, at);
  if (known && adjacent(list, at, known.length, sentence)) return withTypeWord(list, at, known, context);
  if (token.marked) {
    const text = token.text;
    // A flag, or a word that is only stressed.
    if (text.startsWith('-') || NOT_NAMES.has(text.toLowerCase())) return undefined;
    if (!/\p{L}/u.test(text) || text.split(/\s+/).length > 5) return undefined;
    const type = cues.typeOf(text);
    if (type && text.split(/\s+/).length > 3 && !/^\p{Lu}/u.test(text)) return undefined;
    if (type && /^(?:\p{Lu}\p{Ll}+ing|Create|Use|Run|Configure|Deploy|Set|This|How)\s/u.test(text))
      return undefined;
    if (type) return { name: text, type, length: 1 };
    const next = typeWordAfter(list, at + 1, context);
    if (next) return { name: text, type: next, length: 2 };
    return isProper(text) || /[-_.]/.test(text) ? { name: text, type: undefined, length: 1 } : undefined;
  }
  if (isProper(token.text) && !opensOnly(list, at)) return properRun(list, at, context);
  return lowerName(list, texts, at, context);
}

/** A capital that only opens the sentence: "The", "Data is …"; before another capital it begins a name. */
function opensOnly(list: readonly Token[], at: number): boolean {
  const word = list[at]!.text.toLowerCase();
  if (NOT_NAMES.has(word)) return true;
  return at === 0 && GENERIC.has(word) && !(list[1] && isProper(list[1].text));
}

/** Whether a word begins its sentence, or what an HTML tag or a dash before it begins. */
function opens(at: number, start: number, sentence: string): boolean {
  return at === 0 || /[>–—-]\s*$/.test(sentence.slice(0, start));
}

/** A known name keeps its own name: in "Redis cache" or "Kafka topic" the word after it only describes. */
function withTypeWord(
  list: readonly Token[],
  at: number,
  known: { name: string; type: string; length: number },
  context: Context,
): Found {
  const next = list[at + known.length];
  const follows = next && context.sentence.slice(list[at + known.length - 1]!.end, next.start) === ' ';
  const described = follows && context.cues.typeOfWord(next.text) === known.type;
  return { name: known.name, type: known.type, length: known.length + (described ? 1 : 0) };
}

function fromMemory(
  list: readonly Token[],
  texts: readonly string[],
  at: number,
  context: Context,
): Found | undefined {
  for (let length = Math.min(4, list.length - at); length > 0; length--) {
    if (!adjacent(list, at, length, context.sentence)) continue;
    const text = texts.slice(at, at + length).join(' ');
    const type = context.memory.get(text.toLowerCase());
    if (type === undefined) continue;
    // A remembered name of one plain word counts only when it is written as a name.
    if (length === 1 && !list[at]!.marked && !isProper(text) && !/[-_.]/.test(text)) continue;
    return { name: text, type, length };
  }
  return undefined;
}

function properRun(list: readonly Token[], at: number, context: Context): Found {
  let end = at + 1;
  while (end < list.length && end - at < 6 && list[end - 1]!.end + 1 === list[end]!.start) {
    const next = list[end]!;
    if (next.marked || context.sentence[next.start - 1] !== ' ') break;
    if (!isProper(next.text) && !(/^\d+(\.\d+)*$/.test(next.text) && next.text.length <= 4)) break;
    if (context.cues.known([next.text], 0) && context.cues.typeOf(next.text)) break;
    end += 1;
  }
  const words = list.slice(at, end).map((token) => token.text);
  const name = words.join(' ');
  const own = context.cues.typeOf(name);
  if (own) return { name, type: own, length: end - at };
  const after = typeWordAfter(list, end, context);
  // "Require server certificates", "Current service": the capital is the sentence's, and any service is meant.
  const instructs = IMPERATIVE.has(name) && opens(at, list[at]!.start, context.sentence);
  if (after && (instructs || GENERIC.has(name.toLowerCase()))) return { name, type: undefined, length: 1 };
  if (after) {
    const identifier = words.length === 1 && /\p{Ll}\p{Lu}|[_.:-]/u.test(words[0]!);
    return {
      name: identifier ? name : `${name} ${list[end]!.text}`,
      type: after,
      length: end - at + 1,
    };
  }
  return { name, type: undefined, length: end - at };
}

/** "the billing service", "auth-service": small letters name something only before a type word. */
function lowerName(
  list: readonly Token[],
  texts: readonly string[],
  at: number,
  context: Context,
): Found | undefined {
  const token = texts[at]!;
  // `--storage-db`: a flag of some command.
  if (context.sentence[list[at]!.start - 1] === '-') return undefined;
  if (/^\p{Ll}[\p{Ll}\p{N}]*(?:[-_][\p{Ll}\p{N}]+)+$/u.test(token)) {
    const type = context.cues.typeOf(token);
    if (
      type &&
      !/^(?:multi|cross|single|per|inter|out|self|non|sub|quality)[-_]|-of-/.test(token) &&
      !GENERIC.has(token.split(/[-_]/)[0]!) &&
      !/s$/.test(token)
    )
      return { name: token, type, length: 1 };
  }
  const before = texts[at - 1]?.toLowerCase();
  if (before !== 'the' && before !== 'our') return undefined;
  for (let length = 1; length <= 2; length++) {
    const words = texts.slice(at, at + length);
    if (
      words.length < length ||
      words.some((word) => GENERIC.has(word) || !/^\p{Ll}[\p{L}\p{N}-]+$/u.test(word))
    )
      return undefined;
    const type = typeWordAfter(list, at + length, context);
    if (
      type &&
      context.cues.typeOfWord(words.at(-1)!) === undefined &&
      adjacent(list, at, length + 1, context.sentence)
    ) {
      const last = texts[at + length]!;
      // A plural names many things, not one; "the referenced service" is any, while events are named by participles.
      if (last.endsWith('s') && !last.endsWith('ss')) return undefined;
      if (/[^e]ed$/.test(words[0]!) && !/^(?:event|message)$/i.test(last)) return undefined;
      const identifier = length === 1 && words[0]!.includes('-');
      return { name: identifier ? words[0]! : [...words, last].join(' '), type, length: length + 1 };
    }
  }
  return undefined;
}

function typeWordAfter(list: readonly Token[], at: number, context: Context): string | undefined {
  const next = list[at];
  if (!next || next.marked || context.sentence.slice(list[at - 1]!.end, next.start) !== ' ') return undefined;
  if (!/^\p{L}+$/u.test(next.text) || /[^s]s$/.test(next.text)) return undefined;
  return context.cues.typeOfWord(next.text);
}

function adjacent(list: readonly Token[], at: number, length: number, sentence: string): boolean {
  for (let index = at + 1; index < at + length; index++) {
    const gap = sentence.slice(list[index - 1]!.end, list[index]!.start);
    if (gap !== ' ') return false;
  }
  return at + length <= list.length;
}

export function isProper(word: string): boolean {
  return /^\p{Lu}[\p{L}\p{N}]/u.test(word) || /\p{Ll}\p{Lu}/u.test(word);
}
