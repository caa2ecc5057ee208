// Where text comes from: a URL, a file, a folder. Reading is separate from storing; nothing here writes.

/** Validators of an answer: what a conditional request sends. */
export interface Stamps {
  etag?: string;
  lastModified?: string;
}

/** What the last fetch saw, for a conditional request. */
export interface FetchState extends Stamps {
  url?: string;
  sha256?: string;
  /** How the text was made: an index that was followed is followed again, one that was kept is kept. */
  variant?: 'llms-full' | 'llms' | 'pages' | 'custom' | 'file';
  /** Of a followed index: each page as it is stored, by its address. One that cannot be read now keeps that text. */
  pages?: ReadonlyMap<string, string>;
  /** What was sent with each of them, by its address. */
  pageStamps?: PageStamps;
}

/**
 * Of a followed index: where each page was found, and the validators it came with. So for the index itself, with its
 * text: an unchanged index is not sent again, and its links are still needed.
 */
export type PageStamps = Readonly<Record<string, Stamps & { from: string; index?: string }>>;

/** Of a followed index. */
interface FollowedPages {
  pageStamps?: PageStamps;
  health?: PageHealth;
}

export type Fetched =
  | ({ changed: false; url: string; notices?: string[] } & Stamps & FollowedPages)
  | ({
      changed: true;
      url: string;
      /** Of the text, or of the bytes of the file. */
      sha256: string;
      bytes: number;
      contentType: string;
      /** What the source calls itself, where that is not the first heading of its text. */
      title?: string;
      notices: string[];
    } & (FetchedText | FetchedFile) &
      Stamps &
      FollowedPages);

export interface FetchedText {
  variant: 'llms-full' | 'llms' | 'pages' | 'custom';
  text: string;
  /** Where the full text is, of an index of links. */
  full?: string;
}

/** An OpenAPI description, a notebook or a PDF: a reader makes a text of it, in the worker. */
export interface FetchedFile {
  variant: 'file';
  /** Its name says which reader. */
  file: { name: string; bytes: Uint8Array };
}

export interface FetchOptions {
  previous?: FetchState;
  /** Tried after the URL itself. */
  fallback?: string;
  signal?: AbortSignal;
  onProgress?: (done: number, total: number | undefined, message: string) => void;
}

/** How many pages a source has, how many could not be read the last time, how many were beyond the limits. */
export interface PageHealth {
  total: number;
  failed: number;
  pending: number;
}

/** A page of a website and the document it is. */
export interface SitePage extends Stamps {
  url: string;
  path: string;
  sha256: string;
  /** Why it could not be read the last time; the document is of an earlier one. */
  failed?: string;
}

export interface FetchFolderOptions extends Pick<FetchOptions, 'signal' | 'onProgress'> {
  previous?: Stamps & { revision?: string; pages?: readonly SitePage[] };
}

/** Many documents of one address, as files in a folder of their own, which whoever asked removes. */
export type FetchedFolder = Stamps & {
  /** For people: the page of the repository, the first page of the site. */
  url: string;
  /** What the address says of the version. */
  version?: string;
  /** Of a website: every page there is now. The folder holds only those that are new or changed. */
  pages?: readonly SitePage[];
  health?: PageHealth;
  notices: string[];
} & (
    | { changed: false }
    | {
        changed: true;
        folder: string;
        title: string;
        /** The commit that was fetched. */
        revision?: string;
        /** What the address of a document's page begins with; its path follows. */
        pageBase?: string;
        remove(): Promise<void>;
      }
  );

/** Fetches documentation over HTTP within limits of size, time, redirects and addresses. */
export interface DocumentationFetcher {
  fetch(url: string, options: FetchOptions): Promise<Fetched>;
  /** A repository (`github:owner/name[@ref][/path]`) or a website (`site:https://…`). */
  fetchFolder(address: string, options: FetchFolderOptions): Promise<FetchedFolder>;
}

export interface FoundFile {
  /** Relative to the folder, `/` separated. */
  path: string;
  bytes: number;
  modifiedMs: number;
}

export interface Scan {
  files: FoundFile[];
  /** What was passed over and why, with the count and a few examples. */
  skipped: { reason: string; count: number; examples: string[] }[];
}

export interface ScanOptions {
  include?: string[];
  exclude?: string[];
  maxBytes?: number;
  signal?: AbortSignal;
}

/** Files and folders of this machine; only the CLI and a configured docs folder reach them. What they say is the worker's. */
export interface Files {
  scan(folder: string, options?: ScanOptions): Promise<Scan>;
  /** Raw bytes with a size limit; refuses what is not a regular file or leaves the folder through a link. */
  bytes(file: string, options?: { root?: string; maxBytes?: number }): Promise<Uint8Array>;
}
