// Heading levels as they are typed: one, several, a span or a bound.

import { usage } from '../frame.ts';

export const LEVELS_HELP = '2, <=2, >=2, 2-3 or 1,2';

/** `2`, `<=2`, `>=2`, `2-3` or `1,2`. */
export function parseLevels(text: string): number[] {
  const all = [1, 2, 3, 4, 5, 6];
  const clean = text.replaceAll(' ', '');
  const bound = /^([<>])=?([1-6])$/.exec(clean);
  if (bound) {
    const level = Number(bound[2]);
    const open = !clean.includes('=');
    return all.filter((one) => (bound[1] === '<' ? one < level : one > level) || (!open && one === level));
  }
  const span = /^([1-6])-([1-6])$/.exec(clean);
  if (span) return all.filter((one) => one >= Number(span[1]) && one <= Number(span[2]));
  if (/^[1-6](,[1-6])*$/.test(clean)) return clean.split(',').map(Number);
  throw usage(`\`${text}\` is not a valid choice of heading levels.`, `Use ${LEVELS_HELP}.`);
}
