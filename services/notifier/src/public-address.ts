/**
 * Which addresses the public internet routes to one machine. Everything else is refused: what is near us, what stands for
 * an address of another kind (mapped, translated, tunnelled), and what is set aside.
 */

import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The only block that global unicast addresses are given from (RFC 4291 §2.4, IANA). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/** Public by its range, but answered by the machine's own host where it runs in that cloud. */
const nearThoughPublic = ipaddr.IPv4.parseCIDR('168.63.129.16/32')

export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0) return false
  const address = ipaddr.parse(text)
  // Names of special ranges; what is in none is `unicast`.
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv6 ? address.match(globalUnicast) : !address.match(nearThoughPublic)
}
