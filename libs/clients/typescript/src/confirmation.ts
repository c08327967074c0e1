/**
 * The owner's confirmation of one request (contract, "Confirmation-Intent-ID"). The client names the request as it will send it,
 * tells the application where the owner decides, and waits for the decision.
 */

import { call } from './call.ts'
import type { CallOptions } from './call-options.ts'
import { ClientError } from './client-error.ts'
import type { Core } from './core.ts'
import type { ConfirmationIntent } from './generated/types.ts'
import { hasId } from './own-answer.ts'
import { tellOwner } from './owner.ts'
import { sleep } from './sleep.ts'
import { type Limited, limited } from './time-limit.ts'
import type { ApiRequest } from './transport.ts'

/** Asks for a confirmation of this request; returns it undecided. */
export async function askToConfirm(
  core: Core,
  action: string,
  request: { path: string; body: string | undefined },
  options: CallOptions,
): Promise<ConfirmationIntent> {
  const { path, body } = request
  const described = { action, request: { path, ...(body === undefined ? {} : { body: JSON.parse(body) as object }) } }
  const promised = { status: 201, is: hasId }
  const asked = { method: 'POST', path: '/v1/confirmation-intents', body: JSON.stringify(described), promised }
  return (await call(core, asked, options)) as ConfirmationIntent
}

/**
 * Shows the confirmation to the owner, and waits until it is no longer pending. The confirmation itself expires after ten
 * minutes.
 *
 * @throws ClientError `owner_needed` if the time of the call is over
 */
export async function decided(core: Core, id: string, options: Limited): Promise<ConfirmationIntent> {
  let isShown = false
  for (;;) {
    const path = `/v1/confirmation-intents/${encodeURIComponent(id)}`
    const request = { method: 'GET', path, promised: { is: hasStatus } }
    const intent = (await call(core, request, options)) as ConfirmationIntent
    if (intent.status !== 'pending') return intent
    if (!isShown) {
      isShown = true
      await tellOwner(core.onOwnerNeeded, {
        kind: 'confirmation',
        url: intent.confirmation_url,
        expiresAt: new Date(intent.expires_at),
        summary: intent.summary,
      })
    }
    const pauseMs = intent.poll_after_ms ?? 2_000
    if (options.timeoutMs === 0 || Date.now() + pauseMs > options.endsAtMs)
      throw new ClientError(
        'owner_needed',
        `The owner has not decided yet: ${intent.confirmation_url}. Call again, to go on.`,
      )
    await sleep(pauseMs, options.signal)
  }
}

function hasStatus(intent: unknown): boolean {
  return hasId(intent) && typeof (intent as ConfirmationIntent).status === 'string'
}

/**
 * Makes a call that needs a confirmation and takes no key. The call may be repeated: the same confirmation has no
 * second effect.
 *
 * @throws ApiProblem `confirmation_declined` if the owner declines
 */
export async function confirmedCall(
  core: Core,
  action: string,
  request: ApiRequest,
  given: CallOptions = {},
): Promise<unknown> {
  const options = limited(given)
  const { id } = await askToConfirm(core, action, { path: request.path, body: request.body }, options)
  await decided(core, id, options)
  return call(core, { ...request, headers: { ...request.headers, 'Confirmation-Intent-ID': id } }, options)
}
