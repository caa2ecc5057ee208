// Skills of installed packages. The project file names those to offer to agents, which takes effect only in a trusted
// project: a skill is a third-party instruction.

import type { Ecosystem, PackageSkill } from '../../ports/project.ts';
import type { EngineDeps } from '../deps.ts';

/** As `.vai.json` names one: `npm:zod/zod-basics`. */
export function skillId({ package: from, name }: Pick<PackageSkill, 'package' | 'name'>): string {
  return `${from}/${name}`;
}

/** Those the trusted project has enabled, in the order of its file. */
export async function enabledSkills({ project, settings }: EngineDeps): Promise<PackageSkill[]> {
  const wanted = settings.skills;
  if (!wanted || !project) return [];
  const found = await Promise.all(
    wanted.names.map(async (id) => {
      const match = /^(npm|pypi|cargo|go|composer|gem):(.+)\/([^/]+)$/.exec(id);
      if (!match) return [];
      const [, ecosystem, name] = match;
      const skills = await project.skills(wanted.folder, { ecosystem: ecosystem as Ecosystem, name: name! });
      return skills.filter((skill) => skillId(skill) === id);
    }),
  );
  return found.flat();
}

/** Everything that could be enabled in a folder. */
export async function findSkills({ project }: EngineDeps, folder: string): Promise<PackageSkill[]> {
  if (!project) return [];
  const { dependencies } = await project.dependencies(folder);
  const found = await Promise.all(dependencies.map((one) => project.skills(folder, one)));
  return found.flat();
}
