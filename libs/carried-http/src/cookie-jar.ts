/**
 * One cookie of ours: read from a request, set and cleared on a reply.
 *
 * Invariant: no script reads it and no other site's form brings it along; behind https it is Secure, and its name says that
 * no other host of the domain planted it (`__Host-`).
 */

import type { FastifyReply, FastifyRequest } from 'fastify'

/** A cookie. */
export type CookieJar = {
  /** Its value, where it is base64url of at most 128 characters. */
  read: (request: FastifyRequest) => string | undefined
  /** Without `maxAgeS` it ends with the browser. */
  write: (reply: FastifyReply, value: string, maxAgeS?: number) => void
  clear: (reply: FastifyReply) => void
}

/** The name of a cookie without a path of its own, as it is sent. */
export function hostCookieName(baseUrl: string, name: string): string {
  return baseUrl.startsWith('https:') ? `__Host-${name}` : name
}

/** @param name as it is sent: see `hostCookieName` */
export function cookieJar(baseUrl: string, name: string): CookieJar {
  const flags = ['Path=/', 'SameSite=lax', 'HttpOnly', ...(baseUrl.startsWith('https:') ? ['Secure'] : [])]
  const set = (reply: FastifyReply, value: string, more: string[]) => {
    void reply.header('set-cookie', [`${name}=${value}`, ...more, ...flags].join('; '))
  }
  return {
    read: ({ headers }) => findCookie(headers.cookie ?? '', name),
    write: (reply, value, maxAgeS) => set(reply, value, maxAgeS === undefined ? [] : [`Max-Age=${maxAgeS}`]),
    clear: (reply) => set(reply, '', ['Max-Age=0']),
  }
}

/** The first of that name: browsers send the most specific one first. Ours hold base64url alone. */
function findCookie(header: string, name: string): string | undefined {
  for (const pair of header.split(';')) {
    const [key, value] = pair.split('=', 2)
    if (key?.trim() === name && value !== undefined && /^[A-Za-z0-9_-]{1,128}$/.test(value.trim())) return value.trim()
  }
  return undefined
}
