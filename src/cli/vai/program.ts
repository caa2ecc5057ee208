// The commands of `vai`, one file each; this is the list. Only the command that was typed is loaded, so that a server
// does not pay at its start for what a person might have asked.

import { Command } from 'commander';
import { VERSION } from '../../version.ts';
import type { Frame } from '../frame.ts';

type Register = (program: Command, frame: Frame) => void;

/** Every name a command answers to, and where it is. */
const COMMANDS: { names: string[]; load: () => Promise<Register> }[] = [
  { names: ['mcp-server', 'mcp'], load: async () => (await import('./mcp-server.ts')).registerMcpServer },
  { names: ['ingest'], load: async () => (await import('./ingest.ts')).registerIngest },
  { names: ['search'], load: async () => (await import('./search.ts')).registerSearch },
  { names: ['query'], load: async () => (await import('./query.ts')).registerQuery },
  { names: ['get'], load: async () => (await import('./get.ts')).registerGet },
  {
    names: ['collections', 'remove'],
    load: async () => (await import('./collections.ts')).registerCollections,
  },
  { names: ['docs'], load: async () => (await import('./docs.ts')).registerDocs },
  { names: ['graph'], load: async () => (await import('./graph.ts')).registerGraph },
  { names: ['eval'], load: async () => (await import('./eval.ts')).registerEval },
  { names: ['completion', 'completions'], load: loadCompletion },
  { names: ['init'], load: async () => (await import('./init.ts')).registerInit },
  { names: ['setup'], load: async () => (await import('./setup.ts')).registerSetup },
  { names: ['doctor'], load: async () => (await import('../doctor/command.ts')).registerDoctor },
  { names: ['backup', 'compact'], load: async () => (await import('./upkeep.ts')).registerUpkeep },
  { names: ['index'], load: async () => (await import('./search-index.ts')).registerIndex },
  { names: ['copy'], load: async () => (await import('./copy.ts')).registerCopy },
  { names: ['embed'], load: async () => (await import('./embed.ts')).registerEmbed },
  { names: ['similarity'], load: async () => (await import('./similarity.ts')).registerSimilarity },
  { names: ['rerank'], load: async () => (await import('./rerank.ts')).registerRerank },
  { names: ['models'], load: async () => (await import('./models.ts')).registerModels },
  { names: ['explain'], load: async () => (await import('./explain.ts')).registerExplain },
  { names: ['estimate'], load: async () => (await import('./estimate.ts')).registerEstimate },
  { names: ['ping'], load: async () => (await import('./ping.ts')).registerPing },
  { names: ['config'], load: async () => (await import('./config.ts')).registerConfig },
];

export async function buildVai(frame: Frame, argv: readonly string[]): Promise<Command> {
  const program = new Command('vai')
    .description(
      'A knowledge server for AI agents: search your documentation, files and notes by words, meaning and relations.',
    )
    .version(VERSION, '-V, --version')
    .showHelpAfterError('(run with --help for usage)')
    .showSuggestionAfterError(true);
  const typed = COMMANDS.filter(({ names }) => names.includes(argv[0] ?? ''));
  for (const { load } of typed.length > 0 ? typed : COMMANDS) (await load())(program, frame);
  return program;
}

async function loadCompletion(): Promise<Register> {
  const { registerCompletion } = await import('../completion/command.ts');
  return (program, frame) =>
    registerCompletion(program, frame, { name: 'vai', whole: () => buildVai(frame, []) });
}
