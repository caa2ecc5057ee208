// Which files of a code base are its tests, by their paths.

const TEST_PATH =
  /(?:^|\/)(?:tests?|specs?|__tests__|testing|testdata|fixtures?|mocks?|[a-z]\w*Test)\/|(?:^|\/)test_[^/]*$|(?:(?:^|[._/-])(?:test|tests|spec)|Tests?|Spec)\.[a-z]+$/;

export function isTestPath(path: string): boolean {
  return TEST_PATH.test(path);
}
