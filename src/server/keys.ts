// What other folders may import to manage keys.

export { MIN_KEY_LENGTH, type KeyEntry } from './keys/entry.ts';
export type { KeyUse } from './keys/manage.ts';
export { readKeys } from './keys/live.ts';
export { readUsage, usageFile } from './keys/usage.ts';
export { spendingFile, spentToday } from './limits/spending.ts';
export { LINK_MINUTES, signIns } from './sign-in/sign-ins.ts';
