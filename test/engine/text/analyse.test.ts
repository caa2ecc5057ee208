import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BLOCK_PROFILE } from '../../../src/domain/chunk.ts';
import { analyse } from '../../../src/engine/text/analyse.ts';

const INTRODUCTION = 'Sets the value of a key. '.repeat(40);

const titleOf = (text: string): string =>
  analyse({ read: { text, syntax: 'markdown' }, profile: BLOCK_PROFILE }).title;

describe('the title of a text', () => {
  it('is its top heading, wherever that stands', () => {
    assert.equal(titleOf(`${INTRODUCTION}\n\n## Options\n\nNX\n\n# SET\n\nSets.\n`), 'SET');
  });

  it('is a lower heading that it begins with', () => {
    assert.equal(titleOf('<!-- generated -->\n\n## SET\n\nSets.\n\n## Options\n\nNX\n'), 'SET');
  });

  it('is not the first section below an introduction', () => {
    assert.equal(titleOf(`${INTRODUCTION}\n\n## Options\n\nNX\n\n## History\n\nOld.\n`), '');
  });
});
