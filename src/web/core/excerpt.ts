// A few lines of a passage as a person reads them in a list: without marks of Markdown, front matter or the heading that
// stands above them anyway, and around the words that were asked for.

import { frontMatterEnd } from './front-matter.ts';
import { hitsIn, pieces } from './highlight.ts';

const MOST = 320;

export interface Excerpt {
  text: string;
  /** Whether the lines are code, whose spaces and breaks count. */
  isCode: boolean;
}

interface Block extends Excerpt {
  hits: number;
}

/** The paragraph or piece of code that holds most of the words, with what follows while there is room. */
export function excerpt(
  content: string,
  { words, title }: { words: readonly string[]; title: string },
): Excerpt {
  const blocks = blocksOf(content, title).map((block) => ({ ...block, hits: hitsIn(block.text, words) }));
  const best = blocks.reduce<Block | undefined>(
    (top, one) => (top && top.hits >= one.hits ? top : one),
    undefined,
  );
  if (!best) return { text: '', isCode: false };
  let text = best.text;
  if (!best.isCode)
    for (const next of blocks.slice(blocks.indexOf(best) + 1)) {
      if (next.isCode || text.length + next.text.length > MOST) break;
      text += ` ${next.text}`;
    }
  return { text: best.isCode ? codeAround(text, words) : proseAround(text, words), isCode: best.isCode };
}

/** Paragraphs, list items and table rows in plain words, and code as it is. */
function blocksOf(content: string, title: string): Excerpt[] {
  const lines = content.split('\n');
  const blocks: Excerpt[] = [];
  let fence = '';
  let open = false;
  for (const line of lines.slice(frontMatterEnd(lines))) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark) {
      if (fence === '') fence = mark;
      else if (mark.startsWith(fence)) fence = '';
      open = false;
      continue;
    }
    const isCode = fence !== '';
    const text = isCode ? line : plain(line);
    const starts = /^\s*(?:[-*+]|\d+[.)]|\||#{1,6}\s)/.test(line);
    const blank = !isCode && (text === '' || text === title);
    if (blank) {
      open = false;
      continue;
    }
    if (open && blocks.at(-1)!.isCode === isCode && (isCode || !starts))
      blocks.at(-1)!.text += isCode ? `\n${text}` : ` ${text}`;
    else blocks.push({ text, isCode });
    open = true;
  }
  return blocks.filter(({ text }) => text.trim() !== '');
}

/** Where the characters of code wait, out of reach of the patterns for marks: `<` is U+E03C there. */
const ASIDE = 0xe000;
const aside = (code: string): string =>
  code.replace(/[!-~]/g, (one) => String.fromCharCode(ASIDE + one.charCodeAt(0)));
const back = (text: string): string =>
  text.replace(/[\uE021-\uE07E]/g, (one) => String.fromCharCode(one.charCodeAt(0) - ASIDE));

/** An address in angle brackets is shown, a tag is not. */
const AUTOLINK = /<((?:[A-Za-z][A-Za-z\d+.-]*:|[^\s<>@]+@)[^\s<>]+)>/g;

/** One line without the marks of Markdown, of templates and of HTML. What is in backticks is shown as it is written. */
function plain(line: string): string {
  if (/^[|:\s-]+$/.test(line) || /^\s*(?:import|export) .*from ['"]/.test(line)) return '';
  const text = line
    .replace(/`([^`]+)`/g, (_, code: string) => aside(code))
    .replace(AUTOLINK, '$1')
    .replace(/\{\{[^{}]*\}\}|\{\/\*[^{}]*\*\/\}|\{#[^{}]*\}|<!--[^<>]*-->|<\/?[A-Za-z][^<>]*>/g, ' ')
    .replace(/^\s*(?:#{1,6}\s+|>\s?|[-*+]\s+(?:\[[ x]\]\s)?|\d+[.)]\s+)/, '')
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/[*_]{1,3}(\S[^*_]*)[*_]{1,3}/g, '$1')
    .replace(/[`|]/g, (mark) => (mark === '|' ? ' ' : ''))
    .trim();
  return back(text);
}

function proseAround(text: string, words: readonly string[]): string {
  if (text.length <= MOST) return text;
  const first = pieces(text, words);
  let at = 0;
  for (const piece of first) {
    if (piece.hit) break;
    at += piece.text.length;
  }
  const from = at < MOST / 2 || at >= text.length ? 0 : text.lastIndexOf(' ', at - MOST / 4) + 1;
  const end =
    from + MOST >= text.length ? text.length : Math.max(from + MOST / 2, text.lastIndexOf(' ', from + MOST));
  return `${from > 0 ? '… ' : ''}${text.slice(from, end)}${end < text.length ? ' …' : ''}`;
}

function codeAround(text: string, words: readonly string[]): string {
  const lines = text.split('\n');
  const at = Math.max(0, lines.findIndex((line) => hitsIn(line, words) > 0) - 1);
  return lines
    .slice(at, at + 4)
    .map((line) => line.slice(0, 160))
    .join('\n');
}
