// What the other end of a stream is: a person's terminal or a pipe. Colour, width and links follow from it; a pipe
// never sees an escape.

import { visible } from '../tools/shared/visible.ts';

type Paint = (text: string) => string;

export interface Terminal {
  /** A person reads standard output. */
  readonly interactive: boolean;
  readonly width: number;
  readonly colour: boolean;
  readonly bold: Paint;
  readonly dim: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly red: Paint;
  readonly cyan: Paint;
  /** Text that opens a target when clicked, where the terminal can. */
  link(text: string, target: string): string;
}

export interface StreamInfo {
  isTTY?: boolean;
  columns?: number;
}

export function describeTerminal(stream: StreamInfo, env: Record<string, string | undefined>): Terminal {
  const interactive = stream.isTTY === true;
  const colour = wantsColour(interactive, env);
  const paint =
    (code: string): Paint =>
    (text) =>
      colour ? `\u001b[${code}m${text}\u001b[0m` : text;
  return {
    interactive,
    // Some terminals report 0 columns when they do not know.
    width: Math.max(20, Math.min(stream.columns || Number(env.COLUMNS) || 80, 400)),
    colour,
    bold: paint('1'),
    dim: paint('2'),
    green: paint('32'),
    yellow: paint('33'),
    red: paint('31'),
    cyan: paint('36'),
    link: (text, target) =>
      colour && interactive ? `\u001b]8;;${target}\u0007${text}\u001b]8;;\u0007` : text,
  };
}

function wantsColour(interactive: boolean, env: Record<string, string | undefined>): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR && env.FORCE_COLOR !== '0') return true;
  return interactive && env.TERM !== 'dumb';
}

/** Text from documents on a terminal: no escape sequence of theirs may reach it. */
export { visible as printable };

/** What this file writes itself: colours, and links. */
// eslint-disable-next-line no-control-regex -- escape sequences are made of them
const OWN = /(\u001b\[\d{1,2}m|\u001b\]8;;[^\u0000-\u001f]*\u0007)/;

const LAST_LETTER = /[[\p{L}\p{M}]--\p{DI}]$/v;
const FIRST_LETTER = /^[[\p{L}\p{M}]--\p{DI}]/v;

/** A whole answer, so that no command has to think of it: all other escape sequences are written out. */
export function forTerminal(text: string): string {
  const parts = text.split(OWN);
  return parts.map((part, at) => (at % 2 === 0 ? visiblePart(parts, at) : part)).join('');
}

/** What joins or divides letters may stay there also where a colour begins or ends beside it. */
function visiblePart(parts: readonly string[], at: number): string {
  const [before] = LAST_LETTER.exec(parts[at - 2] ?? '') ?? [''];
  const [after] = FIRST_LETTER.exec(parts[at + 2] ?? '') ?? [''];
  const shown = visible(before + parts[at]! + after);
  return shown.slice(before.length, shown.length - after.length);
}
