// What a setting is: where it may come from, how it is read, what it means. The list of all of them is in
// config/keys.ts; providers add their own.

export type SettingKind =
  | { type: 'string'; max?: number }
  | { type: 'name'; of: 'database' | 'collection' }
  | { type: 'integer'; min: number; max: number }
  | { type: 'dollars'; max: number }
  | { type: 'boolean' }
  | { type: 'choice'; choices: readonly string[] }
  | { type: 'list' }
  | { type: 'hosts' }
  | { type: 'path' }
  | { type: 'paths' }
  | { type: 'url' }
  | { type: 'chunk' }
  | { type: 'files' };

export interface Setting<Name extends string = string> {
  name: Name;
  kind: SettingKind;
  description: string;
  /** Environment variable. */
  env?: string;
  /** Field in the global config.json. */
  stored?: string;
  /** Other spelling that `vai config` accepts: `api-key`. The stored name is always accepted. */
  cli?: string;
  /** Field in a project's .vai.json; absent: ignored there with a warning. */
  project?: string;
  /** Honoured of a trusted project only: it says where texts go or what they are compared with. */
  needsTrust?: boolean;
  /** Masked wherever it is printed. */
  secret?: boolean;
  default?: unknown;
}
