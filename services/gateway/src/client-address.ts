/**
 * By what a client's address is counted: an IPv4 address by itself, an IPv6 address by its network of 64 bits, of which one
 * client has all 2^64 addresses.
 */

import { isIP } from 'node:net'

const mappedV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

export function addressKey(address: string): string {
  const unmapped = mappedV4.exec(address)?.[1] ?? address
  if (isIP(unmapped) !== 6) return unmapped
  const [head = '', tail] = (unmapped.split('%')[0] as string).split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  // A dotted quad at the end stands for two groups; only the first four matter.
  const known = before.length + after.length + (unmapped.includes('.') ? 1 : 0)
  const groups =
    tail === undefined ? before : [...before, ...Array.from({ length: Math.max(0, 8 - known) }, () => '0'), ...after]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
