// What a MongoDB connection string says beyond where the server is.

/** Of the server itself: a connection string names them to say where its users are kept. */
const SYSTEM = new Set(['admin', 'local', 'config']);

/** The database that a connection string names, if one of a user's own. */
export function databaseOfUri(uri: string | undefined): string | undefined {
  const named = uri && /^mongodb(?:\+srv)?:\/\/[^/?]*\/([^?]+)/.exec(uri)?.[1];
  if (!named) return undefined;
  try {
    const database = decodeURIComponent(named);
    return SYSTEM.has(database) ? undefined : database;
  } catch {
    // The driver says what is wrong with it.
    return undefined;
  }
}
