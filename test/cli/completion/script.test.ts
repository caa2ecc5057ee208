import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { Command } from 'commander';
import { completionScript } from '../../../src/cli/completion/script.ts';

const program = new Command('vai').description('x');
program.command('search').alias('find').description("what's there").option('--limit <n>', 'how many');
program.command('docs').command('add').option('--force', 'again');

function complete(line: string[]): string[] {
  const script = `${completionScript('bash', program)}\nCOMP_WORDS=(${line.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${line.length - 1}; _vai; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const done = spawnSync('bash', ['-c', script], {
    encoding: 'utf8',
    cwd: import.meta.dirname,
    // Bash complains about a locale that is not installed.
    env: { ...process.env, LC_ALL: 'C' },
  });
  assert.equal(done.stderr, '');
  return done.stdout.split('\n').filter(Boolean);
}

test('bash completes commands, aliases, nested commands and flags', () => {
  assert.deepEqual(complete(['vai', 'se']), ['search']);
  assert.deepEqual(complete(['vai', 'fi']), ['find']);
  assert.deepEqual(complete(['vai', 'search', '--l']), ['--limit']);
  assert.deepEqual(complete(['vai', 'docs', 'a']), ['add']);
  assert.deepEqual(complete(['vai', 'docs', 'add', '--f']), ['--force']);
});

test('where nothing of ours fits, files are offered', () => {
  assert.deepEqual(complete(['vai', 'search', 'script.t']), ['script.test.ts']);
});

test('fish gets descriptions, quoted', () => {
  assert.match(completionScript('fish', program), /-a 'search' -d 'what\\'s there'/);
});
