// vai skills: the skills that came with the packages of this project, where each comes from, and which of them agents are
// offered. Enabling one is a line in .vai.json and the user's trust, never a default.

import { dirname } from 'node:path';
import type { Command } from 'commander';
import { skillId } from '../../engine/project/skills.ts';
import type { Frame } from '../frame.ts';
import { printable } from '../terminal.ts';

export function registerSkills(program: Command, frame: Frame): void {
  program
    .command('skills')
    .description('list the skills in installed packages and whether agents are offered them')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nA skill is offered once .vai.json names it, as in\n"skills": ["npm:zod/zod-basics"], and the project is trusted (vai trust).\nAgents receive it over MCP.',
    )
    .action((options: { json?: boolean }) => list(frame, options));
}

async function list(frame: Frame, options: { json?: boolean }): Promise<void> {
  const { project } = await frame.settings();
  const engine = await frame.engine();
  const found = await engine.project.findSkills(frame.call(), project ? dirname(project.file) : frame.cwd);
  const skills = found.map((skill) => ({
    id: skillId(skill),
    version: skill.version,
    description: skill.frontmatter.description,
    files: skill.files.length,
    offered: project?.skills.includes(skillId(skill)) ?? false,
  }));
  if (frame.wantsJson(options)) return frame.printJson({ skills });
  if (skills.length === 0) return frame.print('No installed package of this project contains a skill.');
  frame.print(
    skills
      .map(
        ({ id, version, description, offered }) =>
          `${offered ? frame.terminal.green('✓') : ' '} ${frame.terminal.bold(printable(id))} ${printable(version)}\n    ${printable(description)}`,
      )
      .join('\n'),
  );
}
