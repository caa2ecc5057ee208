// Files as a person hands them over: chosen, or dropped with the folders they are in.

export interface Named {
  file: File;
  /** With the folders it came in. */
  path: string;
}

/** More at once is for `vai ingest`. */
const MOST = 2_000;

/** What nobody means when they drop a folder. */
const isLeftOut = (path: string): boolean =>
  path.split('/').some((part) => part.startsWith('.') || part === 'node_modules');

export function named(files: FileList | null): Named[] {
  return [...(files ?? [])]
    .map((file) => ({ file, path: file.webkitRelativePath || file.name }))
    .filter(({ path }) => !isLeftOut(path))
    .slice(0, MOST);
}

export async function dropped(data: DataTransfer): Promise<Named[]> {
  // All entries first: the list is gone once this function has waited.
  const entries = [...data.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  const found: Named[] = [];
  for (const entry of entries) await walk(entry, found);
  return found;
}

async function walk(entry: FileSystemEntry, found: Named[]): Promise<void> {
  const path = entry.fullPath.replace(/^\//, '');
  if (found.length >= MOST || isLeftOut(path)) return;
  if (entry.isFile) {
    const file = await new Promise<File>((done, failed) => (entry as FileSystemFileEntry).file(done, failed));
    found.push({ file, path });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    // A folder is given out a hundred entries at a time.
    const some = await new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed));
    if (some.length === 0) return;
    for (const one of some) await walk(one, found);
  }
}
