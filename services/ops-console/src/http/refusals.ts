/** Failures as pages: each explains the failure and the next step. No page repeats what the client sent. */

import { Problem } from '@financial-agents/contract/problem'
import { errorPage } from '@financial-agents/pages/error-page'
import type { Page } from '@financial-agents/pages/page'
import { currentContext } from '@financial-agents/runtime/context'
import { Unavailable } from '@financial-agents/runtime/unavailable'
import texts from '../../messages/en.json' with { type: 'json' }
import { ApiRefusal } from '../api/api-client.ts'

export class PageRefusal extends Error {
  override readonly name = 'PageRefusal'
  readonly status: number
  readonly code: string
  readonly page: Page

  constructor(name: keyof typeof texts.refusals, code: string, status: number) {
    super(code)
    this.status = status
    this.code = code
    this.page = errorPage({ ...texts.refusals[name], code, requestId: currentContext()?.requestId })
  }
}

export const refusals = {
  notFound: () => new PageRefusal('notFound', 'not_found', 404),
  wrongMethod: () => new PageRefusal('wrongMethod', 'method_not_allowed', 405),
  badForm: (status = 400) => new PageRefusal('badForm', 'malformed_request', status),
  forgedForm: () => new PageRefusal('forgedForm', 'forged_form', 403),
  insufficientScope: () => new PageRefusal('insufficientScope', 'insufficient_scope', 403),
  signedOut: () => new PageRefusal('signedOut', 'signed_out', 401),
  noGroup: () => new PageRefusal('noGroup', 'no_group', 403),
  staleSignIn: () => new PageRefusal('staleSignIn', 'stale_sign_in', 400),
  declinedSignIn: () => new PageRefusal('declinedSignIn', 'sign_in_declined', 403),
  invalidSignIn: () => new PageRefusal('invalidSignIn', 'invalid_sign_in', 502),
  identityProviderDown: () => new PageRefusal('identityProviderDown', 'identity_provider_unavailable', 503),
  unavailable: () => new PageRefusal('unavailable', 'service_unavailable', 503),
  uncertain: () => new PageRefusal('uncertain', 'acceptance_unknown', 503),
  failed: () => new PageRefusal('failed', 'internal_error', 500),
}

/** Returns the page for an error, or undefined if the error is our own fault. */
export function toRefusal(error: unknown): PageRefusal | undefined {
  if (error instanceof PageRefusal) return error
  if (error instanceof Unavailable) return refusals.unavailable()
  const code = error instanceof ApiRefusal ? error.problem.code : error instanceof Problem ? error.code : undefined
  const status = error instanceof ApiRefusal ? error.problem.status : undefined
  if (code === 'acceptance_unknown') return refusals.uncertain()
  if (code === 'insufficient_scope') return refusals.insufficientScope()
  if (code === 'validation_failed' || status === 404) return refusals.notFound()
  if (status === 401) return refusals.signedOut()
  if (status !== undefined && (status === 429 || status === 503)) return refusals.unavailable()
  const { statusCode } = error as { statusCode?: number }
  return statusCode !== undefined && statusCode < 500 ? refusals.badForm(statusCode) : undefined
}
