// What other folders may import from the settings.

export { KEYS, findKey, valueOf, type Key } from './keys.ts';
export { maskSecret, maskValue } from './secrets.ts';
export { resolveSettings, configPlaces, type Environment, type ResolveInput } from './resolve.ts';
export type { Origin, Settings, StoreKind, Values } from './settings.ts';
export { databaseOfUri } from './mongodb-uri.ts';
export { absolutePath, shownPath } from './paths.ts';
export { isSecureUrl, readOAuth, type OAuthSettings } from './oauth.ts';
export { PROJECT_FILE } from './project-file.ts';
export { collectionsOf, type ProjectContract, type ProjectSource } from './project-contract.ts';
export {
  deleteConfig,
  getConfig,
  listConfig,
  readConfig,
  registerDatabase,
  setConfig,
  SERVER_KEYS_FIELD,
  updateConfig,
  type ConfigEntry,
} from './store.ts';
