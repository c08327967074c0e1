/**
 * A message about the last action, shown on the next page, once. The cookie carries a word of a closed set. A text in
 * the address could be sent to somebody to make our page say something untrue.
 */

import { cookieJar, hostCookieName } from '@financial-agents/carried-http/cookie-jar'
import type { Html } from '@financial-agents/pages/html'
import { notice, type Tone } from '@financial-agents/pages/parts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PageTools } from './page-tools.ts'

const messages = {
  revoked: [
    'good',
    'Access ended. From now on the application can start nothing for you. What your provider already has goes on there.',
  ],
  ending: [
    'warning',
    'Access is ending. From now on the application can ask for nothing for you. It is not confirmed yet that what it started before, and we have not sent yet, is stopped; we go on until it is. Follow it under “Under way”.',
  ],
  renamed: ['good', 'Your name for this application is saved. Only you see it.'],
  limits_changed: ['good', 'Limits changed. They hold within a few seconds. What was accepted before goes on.'],
  already_ended: ['neutral', 'This access had already ended.'],
  disconnected: [
    'good',
    'Disconnected. No application reaches your provider through us any more. We have asked your provider to end the access; follow it under “Under way”.',
  ],
  disconnecting: [
    'warning',
    'The connection is ending. No application can ask for anything through it any more. It is not confirmed yet that what was started before, and we have not sent yet, is stopped; we go on until it is. We have asked your provider to end the access; follow it under “Under way”.',
  ],
  disconnect_unknown: [
    'warning',
    'The connection may be ending already. Reload this page in a moment; if it is still connected, disconnect again. Nothing happens twice.',
  ],
  mandate_pausing: [
    'good',
    'These payments are being paused. No application can ask for another one. What was accepted before may still be sent.',
  ],
  mandate_ending: [
    'good',
    'These payments are being ended. No application can ask for another one. What was accepted before may still be sent; follow the end under “Under way”.',
  ],
  mandate_lowered: [
    'good',
    'The limits of these payments are lowered. They hold for every payment that is accepted from now on. What was accepted before goes on.',
  ],
  mandate_not_lowered: [
    'neutral',
    'The limits were not changed: a payment was accepted in between, or these payments are being paused or ended already.',
  ],
  mandate_unchanged: ['neutral', 'Nothing was changed: these payments are being paused or ended already, or are over.'],
  mandate_unknown: [
    'warning',
    'It is not known yet whether this was accepted. Reload this page in a moment, and repeat it if these payments are still in force. Nothing happens twice.',
  ],
  not_connected_to_act: ['warning', 'Nothing was changed: you are not connected to your provider, so nothing is paid.'],
  not_connected: ['neutral', 'There was no connection to end.'],
  connected: ['good', 'Connected. What you chose works again; what you did not choose has ended.'],
  connected_already: ['neutral', 'You are connected already.'],
  still_ending: [
    'warning',
    'Your last connection is still being ended. You can connect again once it is; look here again in a few minutes. Nothing was changed.',
  ],
  signed_out: ['neutral', 'You are signed out.'],
} as const satisfies Record<string, readonly [Tone, string]>

export type Flash = keyof typeof messages

/** All messages. */
export const flashes: readonly string[] = Object.values(messages).map(([, words]) => words)

type Tools = Pick<PageTools, 'baseUrl'>

const jar = ({ baseUrl }: Tools) => cookieJar(baseUrl, hostCookieName(baseUrl, 'flash'))

export function setFlash(reply: FastifyReply, tools: Tools, flash: Flash): void {
  jar(tools).write(reply, flash, 60)
}

/** Returns the message, if there is one, and removes it. */
export function takeFlash(request: FastifyRequest, reply: FastifyReply, tools: Tools): Html | undefined {
  const word = jar(tools).read(request)
  if (word === undefined) return undefined
  jar(tools).clear(reply)
  const message = Object.hasOwn(messages, word) ? messages[word as Flash] : undefined
  return message && notice(message[0], message[1])
}
