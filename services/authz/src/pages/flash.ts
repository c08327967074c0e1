/**
 * A message about the last action, shown on the next page, once. The cookie carries a word of a closed set. A text in
 * the address could be sent to somebody to make our page say something untrue.
 */

import type { Html } from '@financial-agents/pages/html'
import type { MessageKey } from '@financial-agents/pages/messages'
import { notice, type Tone } from '@financial-agents/pages/parts'
import type { Reader } from '@financial-agents/pages/reader'
import { cookieJar, hostCookieName } from '@financial-agents/pages/tunnel/cookie-jar'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PageTools } from './page-tools.ts'

const tones = {
  revoked: 'good',
  ending: 'warning',
  paused: 'good',
  pausing: 'warning',
  renamed: 'good',
  unnamed: 'good',
  limits_changed: 'good',
  already_ended: 'neutral',
  disconnected: 'good',
  disconnecting: 'warning',
  disconnect_unknown: 'warning',
  mandate_pausing: 'good',
  mandate_ending: 'good',
  mandate_lowered: 'good',
  mandate_not_lowered: 'neutral',
  mandate_unchanged: 'neutral',
  mandate_unknown: 'warning',
  not_connected_to_act: 'warning',
  not_connected: 'neutral',
  connected: 'good',
  connected_already: 'neutral',
  still_ending: 'warning',
  signed_out: 'neutral',
} as const satisfies { readonly [F in MessageKey<'flash'>]: Tone }

export type Flash = keyof typeof tones

type Tools = Pick<PageTools, 'baseUrl'>

const jar = ({ baseUrl }: Tools) => cookieJar(baseUrl, hostCookieName(baseUrl, 'flash'))

export function setFlash(reply: FastifyReply, tools: Tools, flash: Flash): void {
  jar(tools).write(reply, flash, 60)
}

/** Returns the message, if there is one, and removes it. */
export function takeFlash(
  request: FastifyRequest,
  reply: FastifyReply,
  tools: Tools,
  reader: Reader,
): Html | undefined {
  const word = jar(tools).read(request)
  if (word === undefined) return undefined
  jar(tools).clear(reply)
  if (!Object.hasOwn(tones, word)) return undefined
  const flash = word as Flash
  return notice(tones[flash], reader.say('flash')(flash))
}
