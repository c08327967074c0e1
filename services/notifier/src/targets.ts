/**
 * Where webhooks may go: HTTPS on port 443 of hosts whose every address is public. Judged when a subscription is made and
 * again before each attempt, which then connects to the addresses that were judged and to no others.
 *
 * Where loopback is allowed (development), receivers that name it plainly are free of these rules; a name that leads there is not.
 */

import type { LookupAddress } from 'node:dns'
import { BlockList, isIP } from 'node:net'
import { isPublicAddress } from './public-address.ts'
import type { Resolve } from './resolve.ts'

export type Target = { ok: true; url: URL } | { ok: false; message: string }

export type Targets = {
  /** What can be told from the URL alone. What passes is kept as it was sent, and says the same to every parser. */
  judgeUrl(text: string): Target
  /** The addresses to connect to: none where one of them, or the URL itself, is not allowed. */
  addressesOf(url: URL): Promise<LookupAddress[]>
}

/** One answer, whatever it is about the host: it tells nothing of what names lead to in here. */
export const hostMessage = 'Send an HTTPS address whose host is found in public DNS, at public addresses only.'

export const plainMessage = 'Send an address without spaces, backslashes and characters that cannot be seen.'

/** What the WHATWG parser drops, or reads as another character. */
const unplain = /[\s\\\p{C}\p{Default_Ignorable_Code_Point}]/u

const localNames = /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/
const loopbackAddresses = ['127.0.0.1', '::1']

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

export function createTargets(options: { resolve: Resolve; loopbackIsAllowed: boolean }): Targets {
  const isFree = (host: string) => options.loopbackIsAllowed && isLoopback(host)

  function judgeUrl(text: string): Target {
    if (unplain.test(text)) return refused(plainMessage)
    const url = URL.parse(text)
    if (!url) return refused('Send an absolute HTTPS address.')
    if (url.username !== '' || url.password !== '') return refused('Send an address without user name and password.')
    if (text.includes('#')) return refused('Send an address without a fragment.')
    if (!/^https?:\/\/[^/]/i.test(text)) return refused('Send an address that begins with https://.')
    if (isFree(hostOf(url)) && ['http:', 'https:'].includes(url.protocol)) return { ok: true, url }
    if (url.protocol !== 'https:') return refused('Send an address that begins with https://.')
    if (url.port !== '') return refused('Send an address on port 443.')
    return isPublicHost(hostOf(url)) ? { ok: true, url } : refused(hostMessage)
  }

  return {
    judgeUrl,
    addressesOf: async (url) => {
      const host = hostOf(url)
      if (!judgeUrl(url.href).ok) return []
      if (isFree(host)) return toLookup(isIP(host) === 0 ? loopbackAddresses : [host])
      const addresses = isIP(host) === 0 ? await options.resolve(host) : [host]
      return addresses.every(isPublicAddress) ? toLookup(addresses) : []
    },
  }
}

/** Of the URL, without the brackets of an IPv6 address. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1')
}

function isLoopback(host: string): boolean {
  const version = isIP(host)
  return version === 0 ? host === 'localhost' : loopback.check(host, version === 4 ? 'ipv4' : 'ipv6')
}

/** A name of one label, or one that ends in a dot, is left to nobody's search list. */
function isPublicHost(host: string): boolean {
  if (isIP(host) !== 0) return isPublicAddress(host)
  return host.includes('.') && !host.endsWith('.') && !localNames.test(host)
}

function toLookup(addresses: readonly string[]): LookupAddress[] {
  return addresses.map((address) => ({ address, family: isIP(address) }))
}

function refused(message: string): Target {
  return { ok: false, message }
}
