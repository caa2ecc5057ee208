// How to install the commands, in one place: the pages hold this text between two marks, `npm run reference` writes it there, and
// a test fails when a page says something else. The day the package is on the registry, PUBLISHED becomes true.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const PUBLISHED = false as boolean;

/** How a client starts the published package. */
export const PUBLISHED_COMMAND = {
  command: 'npx',
  args: ['-y', '-p', 'vai-knowledge', 'vai', 'mcp-server'],
};

/** Links that install with a click. */
export function badges(): string {
  const cursor = Buffer.from(JSON.stringify(PUBLISHED_COMMAND)).toString('base64');
  const vscode = encodeURIComponent(JSON.stringify({ name: 'vai', ...PUBLISHED_COMMAND }));
  return [
    `[![Add to Cursor](https://cursor.com/deeplink/mcp-install-dark.svg)](https://cursor.com/install-mcp?name=vai&config=${encodeURIComponent(cursor)})`,
    `[![Install in VS Code](https://img.shields.io/badge/VS_Code-Install-0098FF)](https://insiders.vscode.dev/redirect?url=${encodeURIComponent(`vscode:mcp/install?${vscode}`)})`,
    '',
  ].join('\n');
}

const root = resolve(import.meta.dirname, '..');
const MARKED = /<!-- install -->\n[\s\S]*?<!-- \/install -->/g;

const FROM_REGISTRY = `${badges()}
With Node 22.16 or newer:

\`\`\`bash skip: needs the package registry; a test installs the packed tarball instead
npm install -g vai-knowledge
\`\`\``;

const FROM_CLONE = `\`\`\`bash skip: needs the package registry; a test installs the packed tarball instead
npm link   # puts vai, blz and flowrag-mcp on your PATH; undo it with: npm rm -g vai-knowledge
\`\`\`

Do not use \`npx vai\`: outside the clone, npm would fetch an unrelated package of that name.`;

export function pagesWithInstall(): { path: string; text: string; wanted: string }[] {
  const docs = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  return ['README.md', ...docs.map((name) => join('docs', name))].map((page) => {
    const path = join(root, page);
    const text = readFileSync(path, 'utf8');
    const body = PUBLISHED ? FROM_REGISTRY : FROM_CLONE;
    return {
      path,
      text,
      wanted: text.replaceAll(MARKED, `<!-- install -->\n\n${body}\n\n<!-- /install -->`),
    };
  });
}

/** What must not stand outside the marks while the package cannot be fetched. */
export const UNPUBLISHED = PUBLISHED ? undefined : /npx (-p |-y )*vai|npm install -g vai-knowledge/;

export function withoutInstall(text: string): string {
  return text.replaceAll(MARKED, '');
}

if (process.argv[1] === import.meta.filename)
  for (const { path, text, wanted } of pagesWithInstall()) if (text !== wanted) writeFileSync(path, wanted);
