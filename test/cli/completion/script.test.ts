import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { Command, Option } from 'commander';
import { completionScript } from '../../../src/cli/completion/script.ts';

const program = new Command('vai').description('x');
program
  .command('search')
  .alias('find')
  .description("what's there")
  .option('--limit <n>', 'how many')
  .option('-c, --collection <name>', 'where')
  .addOption(new Option('-m, --mode <mode>', 'how').choices(['words', 'meaning']));
program.command('setup').argument('[client...]');
const docs = program.command('docs');
docs.command('add').option('--force', 'again');
docs.command('search').option('--max-chars <n>', 'how much');
/** Stands for the program that the script asks for names. */
const VAI = 'vai() { [ "$*" = "completion --values collections" ] && printf "%s\\n" team handbook; }';

function complete(line: string[]): string[] {
  const script = `${VAI}\n${completionScript('bash', program)}\nCOMP_WORDS=(${line.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${line.length - 1}; _vai; printf '%s\\n' "\${COMPREPLY[@]}"`;
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
  assert.deepEqual(complete(['vai', 'sea']), ['search']);
  assert.deepEqual(complete(['vai', 'fi']), ['find']);
  assert.deepEqual(complete(['vai', 'search', '--l']), ['--limit']);
  assert.deepEqual(complete(['vai', 'docs', 'a']), ['add']);
  assert.deepEqual(complete(['vai', 'docs', 'add', '--f']), ['--force']);
});

test('behind a flag come its values and nothing else', () => {
  assert.deepEqual(complete(['vai', 'search', '--mode', '']), ['words', 'meaning']);
  assert.deepEqual(complete(['vai', 'search', '-m', 'me']), ['meaning']);
  assert.deepEqual(complete(['vai', 'search', '--collection', '']), ['team', 'handbook']);
  assert.deepEqual(complete(['vai', 'search', '-c', 'te']), ['team']);
  assert.ok(complete(['vai', 'setup', 'curs']).includes('cursor'));
});

test('a command gets its own flags, not those of its namesake', () => {
  assert.deepEqual(complete(['vai', 'docs', 'search', '--m']), ['--max-chars']);
  assert.deepEqual(complete(['vai', 'search', '--m']), ['--mode']);
  const fish = completionScript('fish', program).split('\n');
  assert.deepEqual(
    fish.filter((line) => line.includes('max-chars')).map((line) => line.includes('"docs search"')),
    [true],
  );
  assert.ok(fish.some((line) => line.includes('-l mode') && line.includes("-x -a 'words meaning'")));
});

test('file names are offered where nothing else fits', () => {
  assert.deepEqual(complete(['vai', 'search', 'script.t']), ['script.test.ts']);
});

test('fish gets descriptions, quoted', () => {
  assert.match(completionScript('fish', program), /-a 'search' -d 'what\\'s there'/);
});
