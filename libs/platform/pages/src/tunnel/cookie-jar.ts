/**
 * A cookie of this origin: reads it from a request, and sets or clears it on a reply.
 *
 * Invariant: scripts cannot read the cookie, and forms of other sites do not send it. With https the cookie is Secure,
 * and the `__Host-` prefix proves that no other host of the domain has set it.
 */

import type { FastifyReply, FastifyRequest } from 'fastify'

export type CookieJar = {
  /** The cookie's value; undefined unless it is base64url of 1 to 128 characters. */
  read: (request: Pick<FastifyRequest, 'headers'>) => string | undefined
  /** The header `Set-Cookie` that sets the cookie, for answers that Fastify does not write. */
  text: (value: string, maxAgeS?: number) => string
  /** Without `maxAgeS`, the cookie ends with the browser session. */
  write: (reply: FastifyReply, value: string, maxAgeS?: number) => void
  clear: (reply: FastifyReply) => void
}

/** The name of a host-only cookie as it is sent: with https, it gets the prefix `__Host-`. */
export function hostCookieName(baseUrl: string, name: string): string {
  return baseUrl.startsWith('https:') ? `__Host-${name}` : name
}

/** @param name the name as it is sent: see `hostCookieName` */
export function cookieJar(baseUrl: string, name: string): CookieJar {
  const flags = ['Path=/', 'SameSite=lax', 'HttpOnly', ...(baseUrl.startsWith('https:') ? ['Secure'] : [])]
  const text: CookieJar['text'] = (value, maxAgeS) =>
    [`${name}=${value}`, ...(maxAgeS === undefined ? [] : [`Max-Age=${maxAgeS}`]), ...flags].join('; ')
  const set: CookieJar['write'] = (reply, value, maxAgeS) => {
    void reply.header('set-cookie', text(value, maxAgeS))
  }
  return {
    read: ({ headers }) => findCookie(headers.cookie ?? '', name),
    text,
    write: set,
    clear: (reply) => set(reply, '', 0),
  }
}

/**
 * Returns the first valid cookie of that name: browsers send the most specific one first. Our values are base64url
 * only.
 */
function findCookie(header: string, name: string): string | undefined {
  for (const pair of header.split(';')) {
    const [key, value] = pair.split('=', 2)
    if (key?.trim() === name && value !== undefined && /^[A-Za-z0-9_-]{1,128}$/.test(value.trim())) return value.trim()
  }
  return undefined
}
