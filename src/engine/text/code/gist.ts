// Source code as a model that adds up words reads it best: the words of its path, the names it defines, and what its comments
// say. Keywords, punctuation and the names of everything it only uses would outweigh them.

import type { Chunk } from '../../../domain/chunk.ts';
import type { Symbols } from '../../../domain/symbols.ts';
import { splitIdentifier } from '../../../domain/variants.ts';
import { isListed } from './outline.ts';

const LINE = /^\s*(?:\/\/[/!]?|#(?![![a-z])|--|;;|\*(?!\/))(.*)$/;
const AFTER = /\s(?:\/\/|#)\s(.*)$/;
const OPENS = /^\s*(?:\/\*|"""|'''|r"""|=begin|\{-)(.*)$/;
const CLOSES = /^(.*?)(?:\*\/|"""|'''|=end|-\})/;
const MAX_COMMENTS = 1200;
/** Of a file that defines more, the first say what it is about. */
const MAX_NAMES = 60;

export function codeGist(
  path: string,
  {
    ordinal,
    headingPath,
    defines,
    text,
  }: Pick<Chunk, 'ordinal' | 'headingPath' | 'defines'> & { text: string },
  { definitions }: Symbols,
): string {
  const own = [...headingPath, ...(defines ?? [])];
  const all = ordinal === 0 ? definitions.filter(isListed).map(({ name }) => name) : [];
  const names = [...new Set([...own, ...all])].slice(0, MAX_NAMES);
  const spoken = (list: readonly string[]): string => list.flatMap(splitIdentifier).join(' ');
  return [spoken(path.split('/')), spoken(names), commentsIn(text)].filter((part) => part !== '').join('\n');
}

/** What the comments of a text say, line by line; strings that look like comments are rare enough. */
export function commentsIn(text: string): string {
  const said: string[] = [];
  let room = MAX_COMMENTS;
  let inside = false;
  const say = (part: string | undefined): void => {
    const words = part?.replaceAll(/[*=_-]{2,}|@(?:param|returns?|throws)\b/g, ' ').trim() ?? '';
    if (/[\p{L}]{2}/u.test(words)) {
      said.push(words);
      room -= words.length;
    }
  };
  for (const line of text.split('\n')) {
    if (room <= 0) break;
    if (inside) {
      const closing = CLOSES.exec(line);
      say((closing?.[1] ?? line).replace(/^\s*\*/, ''));
      inside = !closing;
      continue;
    }
    const opening = OPENS.exec(line);
    if (opening) {
      const rest = opening[1]!.replace(/^\*/, '');
      const closing = CLOSES.exec(rest);
      say(closing?.[1] ?? rest);
      inside = !closing;
    } else say(LINE.exec(line)?.[1] ?? AFTER.exec(line)?.[1]);
  }
  return said.join(' ').slice(0, MAX_COMMENTS);
}
