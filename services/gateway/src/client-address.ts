/**
 * Finds the client's address of a request. It is the peer's address, unless the peer is a trusted proxy. Then it is the
 * right-most address of the forwarded chain that is not a trusted proxy. Addresses to the left of that may be forged.
 *
 * Only the one header that the proxies write is read, because a client may send the other one itself. An entry of the
 * chain may be malformed or hide the address (`unknown`, `_hidden`). The chain then ends there, and the proxy that
 * wrote the entry counts as the client.
 */

import { BlockList, isIP } from 'node:net'
import { bracketsOf, withoutMapping } from './address-key.ts'

export type ForwardedHeader = 'x-forwarded-for' | 'forwarded'

/**
 * Returns the client's address, from the peer's address and the raw values of the forwarding headers in their order.
 */
export type ClientAddress = (peer: string, header: (name: ForwardedHeader) => string | undefined) => string

const namedRanges: Record<string, readonly string[]> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** @param trusted addresses, ranges, or the names of ranges */
export function createClientAddress(trusted: readonly string[], believed: ForwardedHeader): ClientAddress {
  if (trusted.length === 0) return (peer) => peer
  const proxies = new BlockList()
  for (const range of trusted.flatMap((item) => namedRanges[item] ?? [item])) addRange(proxies, range)
  const isProxy = (address: string) => {
    const plain = withoutMapping(address)
    const version = isIP(plain)
    return version !== 0 && proxies.check(plain.split('%')[0] as string, version === 6 ? 'ipv6' : 'ipv4')
  }
  return (peer, header) => {
    let address = peer
    if (!isProxy(address)) return address
    for (const hop of hopsOf(header(believed) ?? '', believed)) {
      if (hop === undefined) return address
      address = hop
      if (!isProxy(address)) return address
    }
    return address
  }
}

function addRange(list: BlockList, range: string): void {
  const [address = '', bits] = range.split('/')
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  if (bits === undefined) list.addAddress(address, family)
  else list.addSubnet(address, Number(bits), family)
}

/** The hops from right to left, the nearest first; undefined for an entry that is not an address. */
function* hopsOf(value: string, header: ForwardedHeader): Generator<string | undefined> {
  let end = value.length
  while (end > 0) {
    const comma = value.lastIndexOf(',', end - 1)
    const element = value.slice(comma + 1, end).trim()
    end = comma
    // RFC 9110 §5.6.1: empty elements are ignored.
    if (element !== '') yield addressOf(header === 'forwarded' ? forOf(element) : element)
  }
}

const forParameter = /(?:^|;)[ \t]*for[ \t]*=[ \t]*(?:"([^"\\]*)"|([^\s;"]*))[ \t]*(?:;|$)/i

/** RFC 7239 §4: the `for` node of an element. */
function forOf(element: string): string {
  const match = forParameter.exec(element)
  return match?.[1] ?? match?.[2] ?? ''
}

/** Returns an address without its brackets and port. */
function addressOf(node: string): string | undefined {
  const address = bracketsOf(node) ?? (isIP(node) === 0 ? node.replace(/:\d{1,5}$/, '') : node)
  return isIP(address) === 0 ? undefined : address
}
