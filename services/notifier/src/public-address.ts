/**
 * Recognises addresses that the public internet routes to one machine. All others are refused: local addresses,
 * addresses that stand for another kind (mapped, translated, tunnelled), and reserved ones.
 */

import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The only block from which global unicast addresses are assigned (RFC 4291 §2.4, IANA). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/** An address in a public range that is not public: in one cloud, the host of the machine answers it. */
const nearThoughPublic = ipaddr.IPv4.parseCIDR('168.63.129.16/32')

export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0) return false
  const address = ipaddr.parse(text)
  // `range` names special ranges; every other address is `unicast`.
  if (address.range() !== 'unicast') return false
  if (address instanceof ipaddr.IPv4) return !address.match(nearThoughPublic)
  const inside = tunnelEnd(address)
  return address.match(globalUnicast) && (inside === undefined || isPublicAddress(inside))
}

/**
 * The IPv4 address inside an ISATAP address (RFC 5214 §6.1), to which a router of the prefix sends what it receives. The
 * ranges above contain the other addresses with an address inside (6to4, Teredo, mapped, translated).
 */
function tunnelEnd({ parts }: ipaddr.IPv6): string | undefined {
  const [flags = 0, isatap, high = 0, low = 0] = parts.slice(4)
  // Two bits of the identifier say if it is unique and if it names a group.
  if ((flags & ~0x0300) !== 0 || isatap !== 0x5efe) return undefined
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')
}
