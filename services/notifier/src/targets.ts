/**
 * Permitted targets of webhooks: HTTPS on port 443 of hosts whose every address is public. A target is validated when a
 * subscription is created and again before each attempt. The attempt connects only to the validated addresses.
 *
 * If loopback is allowed (development), these rules do not apply to receivers with a literal loopback name or address.
 * They still apply to a name that resolves to loopback.
 */

import type { LookupAddress } from 'node:dns'
import { BlockList, isIP } from 'node:net'
import { isPublicAddress } from './public-address.ts'
import type { Resolve } from './resolve.ts'

export type Target = { ok: true; url: URL } | { ok: false; message: string }

export type Targets = {
  /** Validates the URL alone. A permitted URL is stored as it was sent, and means the same to every parser. */
  validateUrl(text: string): Target
  /** Returns the addresses to connect to. The list is empty if the URL or one of the addresses is not permitted. */
  addressesOf(url: URL): Promise<LookupAddress[]>
}

/** One message for every error of the host, so that it reveals nothing about names in our network. */
export const hostMessage = 'Send an HTTPS address whose host is found in public DNS, at public addresses only.'

export const plainMessage = 'Send an address without spaces, backslashes and characters that cannot be seen.'

/** Characters that the WHATWG parser drops or changes. */
const unplain = /[\s\\\p{C}\p{Default_Ignorable_Code_Point}]/u

const localNames = /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/
const loopbackAddresses = ['127.0.0.1', '::1']

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

export function createTargets(options: { resolve: Resolve; loopbackIsAllowed: boolean }): Targets {
  const isFree = (host: string) => options.loopbackIsAllowed && isLoopback(host)

  function validateUrl(text: string): Target {
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
    validateUrl,
    addressesOf: async (url) => {
      const host = hostOf(url)
      if (!validateUrl(url.href).ok) return []
      if (isFree(host)) return toLookup(isIP(host) === 0 ? loopbackAddresses : [host])
      const addresses = isIP(host) === 0 ? await options.resolve(host) : [host]
      return addresses.every(isPublicAddress) ? toLookup(addresses) : []
    },
  }
}

/** The host of the URL, without the brackets of an IPv6 address. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1')
}

function isLoopback(host: string): boolean {
  const version = isIP(host)
  return version === 0 ? host === 'localhost' : loopback.check(host, version === 4 ? 'ipv4' : 'ipv6')
}

/** Refuses a name of one label and a name that ends in a dot, so that no search list applies. */
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
