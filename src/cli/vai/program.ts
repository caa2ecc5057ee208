// The commands of `vai`, one file each; this is the list. Only the command that was typed is loaded, so that a server
// does not pay at start-up for commands it does not run.

import { Command } from 'commander';
import { VERSION } from '../../version.ts';
import { usage, type Frame } from '../frame.ts';

type Register = (program: Command, frame: Frame) => void;

interface Entry {
  /** Every name the commands of the file answer to. */
  names: string[];
  load: () => Promise<Register>;
}

/** By what a person comes for; the order is the one of the help. */
const GROUPS: { title: string; entries: Entry[] }[] = [
  {
    title: 'Knowledge:',
    entries: [
      { names: ['ingest'], load: async () => (await import('./ingest.ts')).registerIngest },
      { names: ['query'], load: async () => (await import('./query.ts')).registerQuery },
      { names: ['search'], load: async () => (await import('./search.ts')).registerSearch },
      { names: ['get'], load: async () => (await import('./get.ts')).registerGet },
      {
        names: ['collections', 'list', 'remove', 'rm'],
        load: async () => (await import('./collections.ts')).registerCollections,
      },
      { names: ['docs'], load: async () => (await import('./docs.ts')).registerDocs },
      { names: ['graph'], load: async () => (await import('./graph.ts')).registerGraph },
      { names: ['eval'], load: async () => (await import('./eval.ts')).registerEval },
    ],
  },
  {
    title: 'Agents:',
    entries: [
      {
        names: ['mcp-server', 'mcp', 'serve'],
        load: async () => (await import('./mcp-server.ts')).registerMcpServer,
      },
      { names: ['setup'], load: async () => (await import('./setup.ts')).registerSetup },
      { names: ['init'], load: async () => (await import('./init.ts')).registerInit },
      { names: ['sync'], load: async () => (await import('./sync.ts')).registerSync },
      { names: ['watch'], load: async () => (await import('./watch.ts')).registerWatch },
      { names: ['agents'], load: async () => (await import('./agents.ts')).registerAgents },
      { names: ['skills'], load: async () => (await import('./skills.ts')).registerSkills },
      { names: ['trust'], load: async () => (await import('./trust.ts')).registerTrust },
    ],
  },
  {
    title: 'Models:',
    entries: [
      { names: ['embed'], load: async () => (await import('./embed.ts')).registerEmbed },
      { names: ['similarity'], load: async () => (await import('./similarity.ts')).registerSimilarity },
      { names: ['rerank'], load: async () => (await import('./rerank.ts')).registerRerank },
      { names: ['models'], load: async () => (await import('./models.ts')).registerModels },
      { names: ['explain'], load: async () => (await import('./explain.ts')).registerExplain },
      { names: ['estimate'], load: async () => (await import('./estimate.ts')).registerEstimate },
    ],
  },
  {
    title: 'Upkeep:',
    entries: [
      { names: ['doctor'], load: async () => (await import('../doctor/command.ts')).registerDoctor },
      { names: ['ping'], load: async () => (await import('./ping.ts')).registerPing },
      { names: ['config'], load: async () => (await import('./config.ts')).registerConfig },
      {
        names: ['backup', 'restore', 'compact'],
        load: async () => (await import('./upkeep.ts')).registerUpkeep,
      },
      { names: ['export'], load: async () => (await import('./export.ts')).registerExport },
      { names: ['copy'], load: async () => (await import('./copy.ts')).registerCopy },
      { names: ['index'], load: async () => (await import('./search-index.ts')).registerIndex },
      { names: ['completion', 'completions'], load: loadCompletion },
      { names: ['uninstall'], load: async () => (await import('./uninstall.ts')).registerUninstall },
    ],
  },
];

/** Commands people know from other tools, and what to use here. */
const ELSEWHERE: Record<string, string> = {
  add: 'Add files and folders with `vai ingest <path>`, documentation of a library with `vai docs add <name>`.',
  ask: 'vai finds passages and leaves writing to your agent: `vai query "<question>"` lists them, `vai setup` connects an agent.',
  chat: 'vai finds passages and leaves writing to your agent: `vai query "<question>"` lists them, `vai setup` connects an agent.',
  delete: 'Use `vai remove <collection>` or `vai remove <collection>/<document>`.',
  install: 'Connect your clients with `vai setup`; add documentation with `vai docs add <name>`.',
  start: 'Use `vai serve`, which serves over HTTP, or `vai setup`, which lets a client start it.',
  status:
    'Use `vai doctor` for the state of everything, `vai collections` for what is stored, `vai mcp-server status` for servers in the background.',
  update:
    'Run `vai ingest <path>` again for your files (unchanged ones are skipped), `vai docs update` for documentation.',
};

const FIRST_STEPS = `
First steps:
  $ vai ingest docs/                    make your own files searchable
  $ vai query "how do I undo a release" find the lines that answer
  $ vai docs add bun                    add the documentation of a library
  $ vai setup                           connect your agents`;

export async function buildVai(frame: Frame, argv: readonly string[]): Promise<Command> {
  const program = new Command('vai')
    .description(
      'A knowledge server for AI agents: search your documentation, files and notes by words, meaning and relations.',
    )
    .version(VERSION, '-V, --version')
    .option('--verbose', 'debug log on stderr')
    .hook('preAction', (command) => {
      if (command.opts<{ verbose?: boolean }>().verbose) frame.verbose();
    })
    .showHelpAfterError('(run with --help for usage)')
    .showSuggestionAfterError(true)
    .addHelpText('after', FIRST_STEPS);
  const elsewhere = ELSEWHERE[argv[0] ?? ''];
  if (elsewhere) throw usage(`There is no command \`vai ${argv[0]}\`.`, elsewhere);
  const known = GROUPS.some(({ entries }) => entries.some(({ names }) => names.includes(argv[0] ?? '')));
  for (const { title, entries } of GROUPS) {
    program.commandsGroup(title);
    for (const { names, load } of entries) {
      if (!known || names.includes(argv[0]!)) (await load())(program, frame);
    }
  }
  return program;
}

async function loadCompletion(): Promise<Register> {
  const { registerCompletion } = await import('../completion/command.ts');
  return (program, frame) =>
    registerCompletion(program, frame, { name: 'vai', whole: () => buildVai(frame, []) });
}
