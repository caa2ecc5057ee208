import assert from 'node:assert/strict';
import { test } from 'node:test';
import { databaseOfUri } from '../../src/config/mongodb-uri.ts';

test('the database a connection string names, unless it is one of the server itself', () => {
  const cases: [uri: string | undefined, database: string | undefined][] = [
    [undefined, undefined],
    ['', undefined],
    ['mongodb://host', undefined],
    ['mongodb://host/', undefined],
    ['mongodb://host/?retryWrites=true', undefined],
    ['mongodb://host/team', 'team'],
    ['mongodb+srv://user:pass@host.example/te%61m?retryWrites=true', 'team'],
    ['mongodb://a:1,b:2/team?replicaSet=x', 'team'],
    ['mongodb://host/%zz', undefined],
    ['mongodb://host/admin', undefined],
    ['mongodb://host/local', undefined],
    ['mongodb://host/config', undefined],
    ['http://host/team', undefined],
  ];
  for (const [uri, database] of cases) assert.equal(databaseOfUri(uri), database, uri);
});
