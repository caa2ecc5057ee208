// The definitions and imports of a code base, by where they are and what they are called.

import { folderOf, importResolver, withoutEnding } from './imports.ts';
import { fullName, moduleOf, MODULES, type CodeFile, type Node } from './names.ts';
import { packageOf } from './packages.ts';

interface Imported {
  written: string;
  line: number;
  /** The file or the folder it leads to. */
  target: string | undefined;
  /** What is in it is called without its name. */
  opens: boolean;
}

/** Everything that names are looked up in. */
export class CodeBase {
  readonly root: string;
  readonly #ofFile = new Map<string, Node[]>();
  /** By a file, a folder or a package, and a name. */
  readonly #there = new Map<string, Node[]>();
  readonly #byName = new Map<string, Node[]>();
  /** Names of everything that is defined, also of what is no entity. */
  readonly #defined = new Set<string>();
  readonly #files = new Map<string, CodeFile>();
  /** Paths by what is left of them without their ending. */
  readonly #bare = new Map<string, string>();
  readonly #imports = new Map<string, Imported[]>();
  /** Where the imports of a file lead, beside itself. */
  readonly #targets = new Map<string, Set<string>>();
  /** Names of what a type extends, by its file and its name. */
  readonly #parents = new Map<string, string[]>();

  constructor(files: readonly CodeFile[], nodes: readonly Node[], root: string) {
    this.root = root;
    for (const node of nodes) add(this.#ofFile, node.file.path, node);
    for (const node of twoOfEach(nodes)) {
      const { name } = node.definition;
      add(this.#byName, name, node);
      const { path } = node.file;
      for (const place of [path, `${folderOf(path)}/`, packagePlace(node.file)])
        if (place !== undefined) add(this.#there, `${place}\n${name}`, node);
    }
    const modules = new Map(
      nodes
        .filter(({ definition }) => definition.kind === 'module')
        .map((node) => [fullName(node), node.file.path]),
    );
    const resolve = importResolver(files.map(({ path }) => path));
    for (const file of files) {
      this.#files.set(file.path, file);
      for (const { name } of file.symbols.definitions) this.#defined.add(name);
      this.#bare.set(withoutEnding(file.path), file.path);
      const { language, references, definitions } = file.symbols;
      for (const { kind, within, name } of references)
        if (kind === 'extends' && within !== undefined)
          add(this.#parents, `${file.path}\n${definitions[within]!.name}`, name);
      const imports = references
        .filter(({ kind }) => kind === 'import' || kind === 'alias')
        .map(({ name, line, kind }) => ({
          written: name,
          line,
          target: MODULES.has(language) ? modules.get(name) : resolve({ from: file.path, language, name }),
          opens: kind === 'import',
        }));
      this.#imports.set(file.path, imports);
      const targets = new Set(imports.flatMap(({ target }) => target ?? []));
      targets.delete(file.path);
      this.#targets.set(file.path, targets);
    }
  }

  nodesIn(path: string): readonly Node[] {
    return this.#ofFile.get(path) ?? [];
  }

  importsOf(path: string) {
    return this.#imports.get(path) ?? [];
  }

  /** What the types of a name in a file extend, as written there. */
  parentsOf(path: string, type: string): readonly string[] {
    return this.#parents.get(`${path}\n${type}`) ?? [];
  }

  /** Files and folders that a file imports under a name, or that lie in a folder it imports. */
  modulesCalled(path: string, name: string): string[] {
    return this.importsOf(path).flatMap(({ target, written }) => {
      if (target === undefined) return [];
      if (stemsOf(target, written).includes(name)) return [target];
      const inside = this.#bare.get(`${withoutEnding(target)}/${name}`);
      return inside === undefined ? [] : [inside];
    });
  }

  /** What a resolved import is called. */
  moduleName(target: string): string {
    const file = this.#files.get(target);
    return file ? moduleOf(file, this.root) : target || this.root;
  }

  /** Definitions of a name in a file or a folder, with what the file hands on from others. */
  exported(target: string, name: string, deep = true): readonly Node[] {
    if (!this.#files.has(target)) return this.#at(`${target}/`, name);
    const own = this.inFile(target, name);
    return deep ? [...own, ...this.#handedOn(target, name)] : own;
  }

  /** Looked for where there are fewer: among all of the name, or in what the file imports, which may be hundreds. */
  #handedOn(path: string, name: string): readonly Node[] {
    const [all, targets] = [this.named(name), this.#targets.get(path)!];
    if (all.length >= targets.size)
      return [...targets].flatMap((target) => this.exported(target, name, false));
    return all.filter(({ file }) => targets.has(file.path) || targets.has(folderOf(file.path)));
  }

  inFile(path: string, name: string): readonly Node[] {
    return this.#at(path, name);
  }

  inFolder(path: string, name: string): readonly Node[] {
    return this.#at(`${folderOf(path)}/`, name);
  }

  inPackage(file: CodeFile, name: string): readonly Node[] {
    return this.#at(packagePlace(file), name);
  }

  #at(place: string | undefined, name: string): readonly Node[] {
    return (place === undefined ? undefined : this.#there.get(`${place}\n${name}`)) ?? [];
  }

  defines(name: string): boolean {
    return this.#defined.has(name);
  }

  named(name: string): readonly Node[] {
    return this.#byName.get(name) ?? [];
  }
}

/** Two of those that a look-up cannot tell apart are enough: one of them may be what asks. */
function twoOfEach(nodes: readonly Node[]): Node[] {
  const times = new Map<string, number>();
  return nodes.filter(({ file, definition: { path, name, private: hidden }, type, owner, outer }) => {
    const kind = JSON.stringify([file.path, path, name, hidden, type, owner, outer]);
    times.set(kind, (times.get(kind) ?? 0) + 1);
    return times.get(kind)! <= 2;
  });
}

function packagePlace(file: CodeFile): string | undefined {
  const known = packageOf(file);
  return known === undefined ? undefined : `package ${known}`;
}

function add<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

/** What an import may be called in the file: the last part of what is written, or of where it leads. */
function stemsOf(target: string, written: string): string[] {
  const bare = withoutEnding(target);
  return [bare.slice(bare.lastIndexOf('/') + 1), written.split(/[/.:\\]+/).at(-1)!];
}
