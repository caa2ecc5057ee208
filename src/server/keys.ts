// Keys as whoever manages them needs them.

export {
  digestOf,
  idOf,
  MIN_KEY_LENGTH,
  newKey,
  readEntry,
  type KeyEntry,
  type StoredKey,
} from './keys/entry.ts';
export { CHANNELS, isChannels, type Channels } from './protocol/channels.ts';
export { readKeys } from './keys/live.ts';
export { readUsage, USAGE_FILE } from './keys/usage.ts';
export { LINK_MINUTES, signIns } from './sign-in/sign-ins.ts';
