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
  return address instanceof ipaddr.IPv6 ? address.match(globalUnicast) : !address.match(nearThoughPublic)
}
