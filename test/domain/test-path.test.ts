import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTestPath } from '../../src/domain/test-path.ts';

test('tests are known by their folder or their name', () => {
  for (const path of [
    'test/a.js',
    'src/__tests__/a.ts',
    'okio/src/jvmTest/kotlin/okio/Util.kt',
    'src/shop/CartTest.java',
    'shop/src/tests.rs',
    'shop/cart_test.go',
    'shop/test_cart.py',
    'web/cart.spec.ts',
  ])
    assert.ok(isTestPath(path), path);
  for (const path of ['src/contest/a.js', 'src/main/java/shop/Cart.java', 'lib/latest.rb', 'Latest/a.cs'])
    assert.ok(!isTestPath(path), path);
});
