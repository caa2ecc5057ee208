// What a project is built with, as its manifests, lockfiles and installed packages say. Files of a cloned project are
// hostile: read as data, bounded, never run.

export type Ecosystem = 'npm' | 'pypi' | 'cargo' | 'go' | 'composer' | 'gem';

export interface Dependency {
  ecosystem: Ecosystem;
  name: string;
  /** In use, where a lockfile says so; newest first. */
  versions: string[];
}

export interface Dependencies {
  /** In the order of the manifests, from the root on; the packages of the project itself are none. */
  dependencies: Dependency[];
  /** What the manifests of its root call the project. */
  names: string[];
  /** Manifests and lockfiles, relative to the project. */
  read: string[];
}

/** Documentation that came with an installed package. */
export interface PackageDocs {
  version: string;
  /** Files and folders, absolute, inside the project. */
  paths: string[];
  /** More than a README. */
  rich: boolean;
}

/** A skill that came with an installed package: its files, unchanged. */
export interface PackageSkill {
  /** `npm:zod`. */
  package: string;
  version: string;
  name: string;
  frontmatter: { name: string; description: string; [field: string]: unknown };
  files: { path: string; text: string }[];
}

export interface ProjectReader {
  /** Remembered as long as the files do not change. */
  dependencies(folder: string): Promise<Dependencies>;
  skills(folder: string, wanted: { ecosystem: Ecosystem; name: string }): Promise<PackageSkill[]>;
  packageDocs(
    folder: string,
    wanted: { ecosystem: Ecosystem; name: string; version?: string },
  ): Promise<PackageDocs | undefined>;
}
