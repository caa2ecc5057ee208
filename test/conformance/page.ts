// docs/conformance.md, from what the suite said: no time and no count in it, so that the same verdict gives the same page.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Verdict } from './run.ts';

/** The revision that has scenarios which do not apply to a server without sessions. */
const OLD = '2025-11-25';
/** They, each with the reason. */
export const BASELINE = fileURLToPath(new URL(`./baseline-${OLD}.yml`, import.meta.url));
export const PAGE = fileURLToPath(new URL('../../docs/conformance.md', import.meta.url));

const { version } = createRequire(import.meta.url)('@modelcontextprotocol/conformance/package.json') as {
  version: string;
};

export function conformancePage(verdicts: readonly Verdict[]): string {
  return `# Conformance

\`npm run conformance -- --write\` writes this page; a test fails when it differs from what the suite reports.

The official suite (\`@modelcontextprotocol/conformance\` ${version}) runs against the HTTP server as in production:
keys, guards, limits, both eras of the protocol. A toolset of fixtures in \`test/conformance\` has the
tools, resources and prompts the suite asks for. Only these fixtures ask the client a
question, log or use subscriptions; no tool of vai does, and the packed program contains none of it.

${verdicts.map(section).join('\n\n')}
`;
}

function section({ revision, status, scenarios }: Verdict): string {
  const left = revision === OLD ? notApplicable() : new Map<string, string>();
  const met = scenarios.filter(({ name, outcome }) => outcome !== 'fails' && !left.has(name)).length;
  const rows = scenarios.map(({ name, outcome, required }) => {
    const verdict = left.has(name) ? `does not apply: ${left.get(name)}` : SHOWN[outcome];
    return `| \`${name}\` | ${required ? 'required' : 'optional'} | ${verdict} |`;
  });
  return [
    `## ${revision}: ${status === 0 ? 'conforms' : 'does not conform'}, ${met} of ${scenarios.length}`,
    '',
    '| scenario | | verdict |',
    '| --- | --- | --- |',
    ...rows,
  ].join('\n');
}

const SHOWN = {
  passes: 'passes',
  fails: 'fails',
  'not checked': 'runs; this version of the suite checks nothing in it',
};

/** Each with the comment before it. */
function notApplicable(): Map<string, string> {
  const reasons = new Map<string, string>();
  let reason = '';
  for (const line of readFileSync(BASELINE, 'utf8').split('\n')) {
    const [, comment, name] = /^\s*(?:# (.*)|- (\S+))$/.exec(line) ?? [];
    if (comment) reason = comment.replace(/\.$/, '');
    else if (name) reasons.set(name, reason);
  }
  return reasons;
}
