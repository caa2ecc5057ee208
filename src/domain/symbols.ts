// What a source text defines and what it names: found by a parser, not resolved across files.

import type { LineRange } from './lines.ts';

export type DefinitionKind =
  | 'module'
  | 'class'
  | 'interface'
  | 'struct'
  | 'enum'
  | 'trait'
  | 'type'
  | 'function'
  | 'method'
  | 'constant'
  | 'field'
  | 'macro'
  /** Announced here, defined elsewhere: what a header says. */
  | 'prototype';

export interface Definition {
  name: string;
  kind: DefinitionKind;
  /** Names of the definitions around it, outermost first. */
  path: string[];
  /** From its first line to its last, with the attributes and the comment above it. */
  lines: LineRange;
  /** The line its name stands on. */
  line: number;
  /** Only its own file may name it. */
  private?: true;
}

export interface CodeReference {
  /** An `alias` is an import that only shortens the name of a module: what is in it still needs that name. */
  kind: 'import' | 'alias' | 'call' | 'extends' | 'implements';
  /** The module imported, the function called (without what stands before its dot), the type extended. */
  name: string;
  /** What stands before the dot of a call, as written. */
  on?: string;
  line: number;
  /** Index of the innermost definition around it; absent at the top of the file. */
  within?: number;
}

export interface Symbols {
  language: string;
  /** In the order of the text; what contains another comes before it. */
  definitions: Definition[];
  references: CodeReference[];
}

/** What a definition is called among the names of pages. No page is called so: their names have no such mark. */
export function definitionKey(name: string): string {
  return `=${name}`;
}

/** Extensions of source code by the grammar that reads it. */
export const CODE_EXTENSIONS = {
  bash: 'sh bash zsh bats',
  c: 'c',
  c_sharp: 'cs csx',
  cpp: 'cc cpp cxx hpp hh hxx ipp',
  dart: 'dart',
  elixir: 'ex exs',
  go: 'go',
  haskell: 'hs',
  java: 'java',
  javascript: 'js mjs cjs jsx',
  kotlin: 'kt kts',
  lua: 'lua',
  php: 'php',
  python: 'py pyi',
  ruby: 'rb rake gemspec',
  rust: 'rs',
  scala: 'scala sc sbt',
  swift: 'swift',
  tsx: 'tsx',
  typescript: 'ts mts cts',
  zig: 'zig',
} as const;

/** Markup with a script inside. */
export const CODE_PAGES: ReadonlySet<string> = new Set(['vue', 'svelte', 'astro']);

const CODE = new Set([...Object.values(CODE_EXTENSIONS).join(' ').split(' '), ...CODE_PAGES, 'h']);

/** Whether a file is source code that some grammar reads, by its name. */
export function isCode(path: string): boolean {
  return CODE.has(path.slice(path.lastIndexOf('.') + 1).toLowerCase());
}

/** What the graph holds of code, whatever its schema. */
export const CODE_ENTITY_TYPES = ['MODULE', 'CLASS', 'FUNCTION'] as const;
export const CODE_RELATION_TYPES = ['IMPORTS', 'DEFINES', 'CALLS', 'EXTENDS', 'IMPLEMENTS'] as const;
