import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entryFor } from '../../../src/engine/project/choose.ts';
import type { Ecosystem } from '../../../src/ports/project.ts';
import { createRegistry } from '../../../src/sources/registry/registry.ts';

test('a package of every ecosystem leads to its entry in the registry', async () => {
  const { entries } = await createRegistry().load();
  const idOf = (ecosystem: Ecosystem, name: string) => entryFor(entries, { ecosystem, name })?.id;
  assert.equal(idOf('npm', 'next'), 'nextjs');
  assert.equal(idOf('pypi', 'Django'), 'django');
  assert.equal(idOf('cargo', 'actix-web'), 'actix');
  assert.equal(idOf('gem', 'rails'), 'rails');
  assert.equal(idOf('composer', 'laravel/framework'), 'laravel');
  assert.equal(idOf('go', 'github.com/gin-gonic/gin'), 'gin');
  assert.equal(idOf('go', 'github.com/gofiber/fiber/v3'), 'fiber');
  // The same name elsewhere is another package.
  assert.equal(idOf('gem', 'next'), undefined);
  assert.equal(idOf('go', 'rails'), undefined);
});
