import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { includesHost, isNeverFetched, isPublicAddress } from '../../../src/sources/web/addresses.ts';

const CLOSED = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '0:0:0:0:0:ffff:10.0.0.1',
  '64:ff9b::10.0.0.1',
  '64:ff9b:1::1',
  '2002:7f00:1::',
  '2001::1',
  '2001:db8::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  '100::1',
  'not an address',
  '',
];
const OPEN = [
  '1.1.1.1',
  '8.8.8.8',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.0.1',
  '172.32.0.1',
  '192.167.1.1',
  '2606:4700::1111',
  '2a00:1450:4001:81b::200e',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
  '2002:808:808::',
];

test('addresses that are not public are refused', () => {
  for (const address of CLOSED) assert.equal(isPublicAddress(address), false, address);
});

test('public addresses are allowed', () => {
  for (const address of OPEN) assert.equal(isPublicAddress(address), true, address);
});

test('a mapped address is judged as the address it carries', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      assert.equal(isPublicAddress(`::ffff:${address}`), isPublicAddress(address));
    }),
  );
});

test('hosts are all, none, or those named', () => {
  const url = new URL('http://wiki.corp:8080/llms.txt');
  assert.equal(includesHost(true, url), true);
  assert.equal(includesHost(false, url), false);
  for (const host of ['wiki.corp:8080', 'wiki.corp', '*.corp']) assert.ok(includesHost([host], url), host);
  for (const host of ['wiki.corp:9', 'corp', '*.wiki.corp', 'xwiki.corp'])
    assert.ok(!includesHost([host], url), host);
});

test('addresses where clouds keep credentials are closed in every spelling', () => {
  const closed =
    '169.254.169.254 169.254.0.1 100.100.100.200 168.63.129.16 fe80::1 fe80::1%eth0 fd00:ec2::254 ' +
    '::ffff:169.254.169.254 64:ff9b::a9fe:a9fe 2002:a9fe:a9fe:: nonsense';
  for (const address of closed.split(' ')) assert.ok(isNeverFetched(address), address);
  for (const address of ['10.0.0.1', '127.0.0.1', '::1', 'fd12::1', '93.184.216.34'])
    assert.ok(!isNeverFetched(address), address);
});
