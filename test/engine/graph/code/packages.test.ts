// Which files see each other's definitions without an import.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packageOf } from '../../../../src/engine/graph/code/packages.ts';

const at = (path: string, language: string) =>
  packageOf({ path, symbols: { language, definitions: [], references: [] } });

test('a package is a folder, over all sets of its sources, of one part of the project', () => {
  assert.equal(at('src/main/java/shop/Cart.java', 'java'), at('src/test/java/shop/CartTest.java', 'java'));
  assert.equal(
    at('io/src/commonMain/kotlin/io/A.kt', 'kotlin'),
    at('io/src/jvmMain/kotlin/io/B.kt', 'kotlin'),
  );
  assert.notEqual(at('io/src/main/java/shop/A.java', 'java'), at('net/src/main/java/shop/A.java', 'java'));
  assert.notEqual(at('src/main/java/shop/A.java', 'java'), at('src/main/java/shop/web/A.java', 'java'));
  assert.equal(at('render/json.go', 'go'), 'render');
  assert.equal(at('src/shop/cart.py', 'python'), undefined);
});
