// Folders whose manifests and texts say nothing about what a project is built with: tests, fixtures, examples, listings of
// a book, demonstrations, benchmarks, templates of other projects, copies of what others made.

const STRAY =
  /^(?:testing|testdata|e2e|mocks?|samples?|listings?|demos?|bench|templates?|vendor|third[-_]?party)$/i;
/** Also as a part of a name: `js_tests`, `test-common`, `jmh-benchmarks`. */
const STRAY_PART = /^(?:tests?|fixtures?|examples?|benchmarks?)$/i;

export function isStrayFolder(name: string): boolean {
  return STRAY.test(name) || name.split(/[-_.]/).some((part) => STRAY_PART.test(part));
}
