// Skills that came with installed packages: folders with a SKILL.md under `skills`. They are instructions written by
// others, so they are only looked at where the user has asked for them; bounded, text only, and no link is followed.

import { lstatSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isObject } from '../../domain/object.ts';
import type { PackageSkill } from '../../ports/project.ts';
import { parseYaml } from '../files/yaml.ts';
import { installedAt, isInside, namesIn, type Wanted } from './package-docs.ts';

const FOLDERS = ['skills', '.skills'];
const MANIFEST = 'SKILL.md';
/** The rule of the Agent Skills specification. */
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const MAX_NAME = 64;
const MAX_DESCRIPTION = 1_024;
const MAX_FRONT_MATTER = 16_000;
const MAX_FILES = 64;
const MAX_DEPTH = 4;
const MAX_BYTES = 512_000;

export function packageSkills(root: string, wanted: Wanted): PackageSkill[] {
  for (const { folder, version } of installedAt(root, wanted)) {
    const homes = FOLDERS.map((name) => join(folder, name)).filter(
      (path) => isFolder(path) && isInside(root, path),
    );
    const skills = homes.flatMap((home) =>
      namesIn(home).flatMap((name) => {
        const skill = readSkill(join(home, name));
        return skill ? [{ package: `${wanted.ecosystem}:${wanted.name}`, version, ...skill }] : [];
      }),
    );
    if (skills.length > 0) return skills;
  }
  return [];
}

type Skill = Pick<PackageSkill, 'name' | 'frontmatter' | 'files'>;

function readSkill(folder: string): Skill | undefined {
  const name = basename(folder);
  if (!NAME.test(name) || name.length > MAX_NAME || !isFolder(folder)) return undefined;
  const files = textsBelow(folder);
  const frontmatter = frontMatterOf(files?.find(({ path }) => path === MANIFEST)?.text ?? '');
  if (!files || frontmatter?.name !== name) return undefined;
  return { name, frontmatter, files };
}

/** Undefined where something is in it that is no plain text, or too much: half a skill is none. */
function textsBelow(folder: string): Skill['files'] | undefined {
  const files: Skill['files'] = [];
  let bytes = 0;
  const walk = (path: string, depth: number): boolean =>
    depth <= MAX_DEPTH &&
    namesIn(join(folder, path)).every((name) => {
      const inner = path === '' ? name : `${path}/${name}`;
      const info = lstatSync(join(folder, inner));
      if (info.isDirectory()) return walk(inner, depth + 1);
      if (!info.isFile() || files.length >= MAX_FILES || (bytes += info.size) > MAX_BYTES) return false;
      const text = plainText(readFileSync(join(folder, inner)));
      if (text === undefined) return false;
      files.push({ path: inner, text });
      return true;
    });
  return walk('', 0) ? files : undefined;
}

function plainText(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

function frontMatterOf(text: string): Skill['frontmatter'] | undefined {
  const lines = text.slice(0, MAX_FRONT_MATTER).split(/\r?\n/);
  const end = lines.indexOf('---', 1);
  if (lines[0] !== '---' || end === -1) return undefined;
  try {
    const value = parseYaml(lines.slice(1, end).join('\n'));
    if (!isObject(value)) return undefined;
    const { name, description } = value;
    if (typeof name !== 'string' || typeof description !== 'string') return undefined;
    if (description.trim() === '' || description.length > MAX_DESCRIPTION || !isPlain(value))
      return undefined;
    return { ...value, name, description };
  } catch {
    return undefined;
  }
}

/** Optional fields as the specification has them: a client may refuse a whole list for one that is not. */
function isPlain(fields: Record<string, unknown>): boolean {
  const isText = (value: unknown): boolean => value === undefined || typeof value === 'string';
  const { metadata = {} } = fields;
  return (
    isObject(metadata) &&
    Object.values(metadata).every((value) => typeof value === 'string') &&
    ['license', 'compatibility', 'allowed-tools'].every((name) => isText(fields[name]))
  );
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
