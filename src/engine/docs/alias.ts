// What a documentation source may be called: something every client, shell and file system can say.

import { VaiError } from '../../domain/errors.ts';

const RESERVED = new Set(
  (
    'add search get list sources update remove rm delete help version completions diff lookup plugin claude-plugin ' +
    'config settings serve server start stop status sync export import backup restore clean purge all none default ' +
    'local global cache self map toc validate stats history inspect schema doctor clear mcp mcp-server refresh query ' +
    'find alias completion'
  ).split(' '),
);
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

export function checkAlias(alias: string): string {
  const hint = 'Use 1 to 64 letters, digits, `_` or `-`, beginning with a letter.';
  if (!/^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(alias)) {
    throw new VaiError('INVALID_INPUT', `\`${alias.slice(0, 80)}\` cannot be the alias of a source.`, {
      hint,
    });
  }
  if (RESERVED.has(alias.toLowerCase()) || DEVICE.test(alias)) {
    throw new VaiError('INVALID_INPUT', `\`${alias}\` is a reserved word and cannot be an alias.`, {
      hint: `Choose another name, for example \`${alias.toLowerCase()}-docs\`.`,
    });
  }
  return alias;
}
