// How a heading reads to a person: links reduced to their label, markup and anchor tags removed, entities decoded.
// Inline Markdown is not parsed; a heading is short and these replacements are bounded by its length.

const NAMED: Record<string, string> = {
  amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', copy: '©', reg: '®', trade: '™', mdash: '—', ndash: '–',
  hellip: '…', lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', laquo: '«', raquo: '»', larr: '←', rarr: '→', uarr: '↑',
  darr: '↓', harr: '↔', times: '×', middot: '·', bull: '•', deg: '°', micro: 'µ', para: '¶', sect: '§', le: '≤', ge: '≥',
  ne: '≠', plusmn: '±', infin: '∞', euro: '€', pound: '£', yen: '¥', cent: '¢', auml: 'ä', ouml: 'ö', uuml: 'ü', Auml: 'Ä',
  Ouml: 'Ö', Uuml: 'Ü', szlig: 'ß', eacute: 'é', egrave: 'è', agrave: 'à', ccedil: 'ç', ntilde: 'ñ', shy: '', zwj: '',
  zwnj: '', lbrace: '{', rbrace: '}', lsqb: '[', rsqb: ']', lpar: '(', rpar: ')', num: '#', colon: ':', sol: '/', vert: '|',
  lowbar: '_', ast: '*', grave: '`', Hat: '^', bsol: '\\', check: '✓', ensp: ' ', emsp: ' ', thinsp: ' ',
}; // prettier-ignore

const MAX_DISPLAY = 500;

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z]{2,8}));/g, (whole, ...groups) => {
    const [decimal, hex, name] = groups as (string | undefined)[];
    if (name !== undefined) return Object.hasOwn(NAMED, name) ? NAMED[name]! : whole;
    const code = decimal !== undefined ? Number(decimal) : Number.parseInt(hex!, 16);
    const valid = code > 31 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    return valid ? String.fromCodePoint(code) : ' ';
  });
}

const CODE = /(?<!`)(`{1,4})(?!`)([^`]{1,400})\1(?!`)/g;
const ESCAPE = /\\([!-/:-@[-`{-~])/g;
const LINK =
  /!?\[([^[\]]{0,400})\](?:\([^()\s]{0,400}(?:\([^()\s]{0,100}\)[^()\s]{0,200})?(?:\s+["'(][^"']{0,200}["')])?\s?\)|\[[^[\]]{0,200}\])/g;
/** `Title [#anchor]` and `[[page|label]]`. */
const ANCHOR = /(?<=\S) \[#[^[\]\s]{1,200}\]$/;
const WIKI_LINK = /\[\[(?:[^[\]|]{1,200}\|)?([^[\]|]{1,200})\]\]/g;
const UNDERSCORE = /(?<![\p{L}\p{N}_])_{1,2}(?=[^\s_])|(?<=[^\s_])_{1,2}(?![\p{L}\p{N}_])/gu;

/** Each replacement runs only where its mark occurs: most headings are plain words. */
export function displayHeading(raw: string): string {
  if (!/[`\\{<[*~_&\ue000\ue001]/.test(raw)) return clip(raw);
  let text = raw.replaceAll(/[\ue000\ue001]/g, '');
  // Code spans and escaped marks are put aside first: what stands in them is text, not markup.
  const aside: string[] = [];
  const keep = (content: string): string => `\ue000${aside.push(content) - 1}\ue001`;
  if (text.includes('`')) text = text.replaceAll(CODE, (_, __, content: string) => keep(content.trim()));
  if (text.includes('\\')) text = text.replaceAll(ESCAPE, (_, mark: string) => keep(mark));
  if (text.includes('{')) {
    text = text.replaceAll(/\{\/\*[^*]{0,400}\*\/\}/g, ' ');
    text = withoutAttributes(text);
  }
  if (text.includes('<')) {
    text = text.replaceAll(/<!--.{0,400}?-->/g, ' ').replaceAll(/<https?:\/\/([^<>\s]{1,400})>/g, '$1');
    text = text.replaceAll(/<\/?[A-Za-z][^<>]{0,400}>/g, '');
  }
  if (text.includes('[')) text = text.replace(ANCHOR, '').replaceAll(WIKI_LINK, '$1').replaceAll(LINK, '$1');
  if (text.includes('*')) text = text.replaceAll(/\*{1,3}(?=\S)|(?<=\S)\*{1,3}/g, '');
  if (text.includes('~~')) text = text.replaceAll(/~~(?=\S)|(?<=\S)~~/g, '');
  if (text.includes('_')) text = text.replaceAll(UNDERSCORE, '');
  text = decodeEntities(text);
  if (aside.length > 0)
    text = text.replaceAll(/\ue000(\d+)\ue001/g, (_, at: string) => aside[Number(at)] ?? '');
  return clip(text);
}

/** Without the anchor or classes a heading ends with: `Title {#anchor .class}`. */
function withoutAttributes(text: string): string {
  const trimmed = text.trimEnd();
  const open = trimmed.lastIndexOf('{');
  if (open === -1 || trimmed.indexOf('}', open) !== trimmed.length - 1) return text;
  return /^\s*[#.:]/.test(trimmed.slice(open + 1)) ? trimmed.slice(0, open).trimEnd() : text;
}

function clip(written: string): string {
  const text = written.replaceAll(/\s+/g, ' ').trim();
  if (text.length <= MAX_DISPLAY) return text;
  const cut =
    text.charCodeAt(MAX_DISPLAY - 2) >= 0xd800 && text.charCodeAt(MAX_DISPLAY - 2) <= 0xdbff ? 2 : 1;
  return `${text.slice(0, MAX_DISPLAY - cut)}…`;
}
