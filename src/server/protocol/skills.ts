// Skills over MCP (extension io.modelcontextprotocol/skills): the server's own, and those of installed packages that a
// trusted project has enabled. Each file is a resource; an entry lists all of them with size and digest. The address of a
// package's skill says where it comes from.

import { hash } from 'node:crypto';
import { visible } from '../../tools/shared/visible.ts';
import type { Skill } from '../../tools/tool.ts';
import { page } from './cursor.ts';
import { invalidParams } from './failure.ts';
import type { ServedCall, ServedResource } from './surface.ts';
import { compileUri } from './uri-template.ts';

const MANIFEST = 'SKILL.md';
const TEMPLATE = 'skill://{+path}';
/** Packages may be installed while the server runs. */
const HINT = { ttlMs: 60_000, cacheScope: 'private' } as const;

export interface SkillEntry {
  uri: string;
  frontmatter: Skill['frontmatter'];
  resources: { uri: string; digest: string; size: number }[];
}

interface SkillFile {
  uri: string;
  text: string;
}

interface ServedSkill {
  entry: SkillEntry;
  files: SkillFile[];
  /** For people and clients that know no skills: what it is for, and whose it is. */
  description: string;
}

export interface ServedSkills {
  list(cursor: string | undefined, context: ServedCall): Promise<Record<string, unknown>>;
  get(uri: string, context: ServedCall): Promise<Record<string, unknown>>;
  resource: ServedResource;
}

export function createSkills(own: readonly Skill[]): ServedSkills {
  const ours = own.map((skill) => served(skill, skill.name, skill.frontmatter.description));
  const all = async ({ engine, call }: ServedCall): Promise<ServedSkill[]> => {
    const enabled = await (await engine()).project.skills(call);
    return [
      ...ours,
      ...enabled
        // Instructions with characters that nobody sees are not passed on.
        .filter(({ files, frontmatter }) =>
          [JSON.stringify(frontmatter), ...files.map(({ text }) => text)].every(
            (text) => visible(text) === text,
          ),
        )
        .map((skill) =>
          served(
            skill,
            `${skill.package.replace(':', '/')}/${skill.name}`,
            `From the installed package ${skill.package} ${skill.version}: ${skill.frontmatter.description}`,
          ),
        ),
    ];
  };
  return {
    async list(cursor, context) {
      const entries = (await all(context)).map(({ entry }) => entry);
      const { items, nextCursor } = page(entries, cursor, ({ uri }) => uri);
      return { skills: items, ...(nextCursor ? { nextCursor } : {}), ...HINT };
    },
    async get(uri, context) {
      const found = (await all(context)).find(({ entry }) => entry.uri === uri);
      if (!found) throw invalidParams(`There is no skill \`${visible(uri.slice(0, 200))}\`.`);
      return { skill: found.entry, ...HINT };
    },
    resource: {
      template: compileUri(TEMPLATE),
      uri: TEMPLATE,
      name: 'skill',
      title: 'A file of a skill',
      description: 'Instructions for agents: how to search here, and skills the project has enabled',
      mimeType: 'text/markdown',
      fixed: false,
      list: async (context) =>
        (await all(context)).map(({ entry, description }) => ({
          uri: entry.uri,
          name: entry.frontmatter.name,
          description,
          mimeType: 'text/markdown',
        })),
      async read(uri, _variables, context) {
        const file = (await all(context)).flatMap(({ files }) => files).find((one) => one.uri === uri);
        return file && { contents: [{ uri, mimeType: typeOf(uri), text: file.text }] };
      },
    },
  };
}

function served({ frontmatter, files }: Skill, path: string, description: string): ServedSkill {
  const at = (file: string): string => `skill://${path}/${file.split('/').map(encodeURIComponent).join('/')}`;
  const found = files.map(({ path: file, text }) => ({ uri: at(file), text }));
  return {
    entry: {
      uri: at(MANIFEST),
      frontmatter,
      resources: found.map(({ uri, text }) => ({
        uri,
        digest: `sha256:${hash('sha256', text, 'hex')}`,
        size: Buffer.byteLength(text),
      })),
    },
    files: found,
    description,
  };
}

function typeOf(uri: string): string {
  return uri.endsWith('.md') ? 'text/markdown' : 'text/plain';
}
