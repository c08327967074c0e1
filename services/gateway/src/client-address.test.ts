/** Decisions §11: the peer's address, or the right-most untrusted one of the forwarded chain. */

import { describe, expect, test } from 'vitest'
import { createClientAddress, type ForwardedHeader } from './client-address.ts'

const proxies = ['10.0.0.0/8', '192.0.2.250', '2001:db8:ff::/48', 'loopback']
const read = (believed: ForwardedHeader, peer: string, headers: Partial<Record<ForwardedHeader, string>>) =>
  createClientAddress(proxies, believed)(peer, (name) => headers[name])

describe('X-Forwarded-For', () => {
  test.each([
    ['a peer that is no proxy stands for itself', '203.0.113.1', '198.51.100.1', '203.0.113.1'],
    ['a proxy names its client', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['the right-most counts', '10.0.0.1', '6.6.6.6, 198.51.100.1', '198.51.100.1'],
    [
      'proxies behind one another are passed over',
      '10.0.0.1',
      '6.6.6.6, 198.51.100.1,10.2.3.4 , 127.0.0.9',
      '198.51.100.1',
    ],
    ['a chain of proxies alone ends with its first', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['a proxy may come mapped into IPv6', '::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['a hop may come mapped into IPv6', '10.0.0.1', '198.51.100.1, ::ffff:10.0.0.7', '198.51.100.1'],
    ['a proxy may have an IPv6 address', '2001:db8:ff::1', '2001:db8::7', '2001:db8::7'],
    ['a port is none of the address', '10.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
    ['nor is it of an IPv6 address', '10.0.0.1', '[2001:db8::7]:4711', '2001:db8::7'],
    ['brackets may stand alone', '10.0.0.1', '[2001:db8::7]', '2001:db8::7'],
    ['without the header the proxy stands for its clients', '10.0.0.1', undefined, '10.0.0.1'],
    ['and where it is empty', '10.0.0.1', ' , ,', '10.0.0.1'],
    ['empty elements are none', '10.0.0.1', '198.51.100.1,, ,', '198.51.100.1'],
    ['nonsense ends the chain', '10.0.0.1', '198.51.100.1, evil', '10.0.0.1'],
    ['nonsense left of the client is not looked at', '10.0.0.1', 'evil, 198.51.100.1', '198.51.100.1'],
    ['a proxy before nonsense stands for it', '10.0.0.1', 'unknown, 10.9.9.9', '10.9.9.9'],
    ['numbers are no address', '10.0.0.1', '4711', '10.0.0.1'],
    ['nor are more than four', '10.0.0.1', '1.2.3.4.5', '10.0.0.1'],
  ])('%s', (_name, peer, value, address) => {
    expect(read('x-forwarded-for', peer, value === undefined ? {} : { 'x-forwarded-for': value })).toBe(address)
  })
})

describe('Forwarded', () => {
  test.each([
    ['the node of the right-most element', 'for=6.6.6.6, for=198.51.100.1;proto=https;by=10.0.0.1', '198.51.100.1'],
    ['in any letter case, anywhere in the element', 'By=10.0.0.1; FOR = 198.51.100.1', '198.51.100.1'],
    ['quoted, with brackets and port', 'for="[2001:db8::7]:4711"', '2001:db8::7'],
    ['quoted, with port', 'for="198.51.100.1:80", for=10.1.1.1', '198.51.100.1'],
    ['unknown ends the chain', 'for=198.51.100.1, for=unknown', '10.0.0.1'],
    ['a hidden name ends it too', 'for=_hidden', '10.0.0.1'],
    ['an element without a node ends it', 'for=198.51.100.1, proto=https', '10.0.0.1'],
    ['a comma within quotes makes no address', 'for="198.51.100.1,6.6.6.6"', '10.0.0.1'],
  ])('%s', (_name, value, address) => {
    expect(read('forwarded', '10.0.0.1', { forwarded: value })).toBe(address)
  })
})

test('the header that the proxies do not write may come from the client, and is ignored', () => {
  const headers = { forwarded: 'for=6.6.6.6', 'x-forwarded-for': '198.51.100.1' }
  expect(read('x-forwarded-for', '10.0.0.1', headers)).toBe('198.51.100.1')
  expect(read('x-forwarded-for', '10.0.0.1', { forwarded: 'for=6.6.6.6' })).toBe('10.0.0.1')
  expect(read('forwarded', '10.0.0.1', { 'x-forwarded-for': '6.6.6.6' })).toBe('10.0.0.1')
})

test('without a configured proxy every header is ignored', () => {
  expect(createClientAddress([], 'x-forwarded-for')('10.0.0.1', () => '6.6.6.6')).toBe('10.0.0.1')
})
