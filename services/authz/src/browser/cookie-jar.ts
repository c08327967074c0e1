/** One cookie of ours: read from a request, set and cleared on a reply, always with the options that all of them share. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import { cookieOptions } from '../provider/cookies.ts'

export type CookieJar = {
  read: (request: FastifyRequest) => string | undefined
  /** Without `maxAgeS` it ends with the browser. */
  write: (reply: FastifyReply, value: string, maxAgeS?: number) => void
  clear: (reply: FastifyReply) => void
}

/** @param name as it is sent */
export function cookieJar(baseUrl: string, name: string): CookieJar {
  const { httpOnly, sameSite, secure, path } = cookieOptions(baseUrl)
  const flags = [
    `Path=${path}`,
    `SameSite=${sameSite}`,
    ...(httpOnly ? ['HttpOnly'] : []),
    ...(secure ? ['Secure'] : []),
  ]
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
