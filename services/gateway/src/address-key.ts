/**
 * The key under which a client's address is counted. An IPv4 address counts by itself, in whatever form IPv6 carries
 * it. An IPv6 address counts by its /64 network, because one client has all 2^64 addresses of it.
 */

import { isIP } from 'node:net'

const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/
const dottedEnd = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/
const mapped = '0:0:0:0:0:ffff'
/** RFC 6052: the prefix under which a translator maps IPv4 addresses. */
const translated = '64:ff9b:0:0:0:0'

export function addressKey(address: string): string {
  const plain = withoutMapping(address)
  return isIP(plain) === 6 ? `${groupsOf(plain).slice(0, 4).join(':')}::/64` : plain
}

/** Returns the IPv4 address inside a mapped IPv6 address, or the address unchanged. */
export function withoutMapping(address: string): string {
  if (isIP(address) !== 6) return address
  const groups = groupsOf(address)
  const prefix = groups.slice(0, 6).join(':')
  if (prefix !== mapped && prefix !== translated) return address
  const bytes = groups.slice(6).flatMap((group) => {
    const word = Number.parseInt(group, 16)
    return [word >> 8, word & 255]
  })
  return bytes.join('.')
}

/** Returns the text in brackets, with or without a port behind them. */
export function bracketsOf(node: string): string | undefined {
  return bracketed.exec(node)?.[1]
}

/** The eight groups of an IPv6 address, in lower case without leading zeros. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = withoutDots(address.split('%')[0] as string).split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const missing = tail === undefined ? 0 : 8 - before.length - after.length
  return [...before, ...Array.from({ length: missing }, () => '0'), ...after].map((group) =>
    Number.parseInt(group, 16).toString(16),
  )
}

function withoutDots(address: string): string {
  const match = dottedEnd.exec(address)
  if (match === null) return address
  const [a, b, c, d] = match.slice(2).map(Number) as [number, number, number, number]
  return `${match[1]}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
}
