/**
 * The reason why a page cannot continue. It is thrown at the place of the fault and shown as an error page, which says
 * what to do.
 */

import { type ErrorName, errorView } from '@financial-agents/owner-pages/error'
import type { View } from '@financial-agents/owner-pages/view'
import { englishReader, type Reader } from '@financial-agents/pages/reader'
import { currentContext } from '@financial-agents/runtime/context'

export class PageRefusal extends Error {
  override readonly name = 'PageRefusal'
  readonly viewFor: (reader: Reader) => View

  constructor(name: ErrorName, code: string, status = 400) {
    super(englishReader.say('errors')(`${name}.title`))
    const requestId = currentContext()?.requestId
    this.viewFor = (reader) => errorView({ name, code, status, requestId }, reader)
  }
}

export const refusals = {
  staleInteraction: () => new PageRefusal('staleInteraction', 'interaction_not_found'),
  deviceCodeOver: () => new PageRefusal('deviceCodeOver', 'device_code_not_open'),
  forgedForm: () => new PageRefusal('forgedForm', 'form_not_accepted', 403),
  badForm: (status = 400) => new PageRefusal('badForm', 'form_not_readable', status),
  notFound: () => new PageRefusal('notFound', 'route_not_found', 404),
  wrongMethod: () => new PageRefusal('wrongMethod', 'method_not_allowed', 405),
  unknownSignIn: () => new PageRefusal('unknownSignIn', 'sign_in_not_found'),
  signInExpired: () => new PageRefusal('signInExpired', 'sign_in_expired'),
  signInPending: () => new PageRefusal('signInPending', 'sign_in_pending', 409),
  signInRefused: () => new PageRefusal('signInRefused', 'sign_in_not_valid', 400),
  signInDeclined: () => new PageRefusal('signInDeclined', 'sign_in_declined', 403),
  signInNotAvailable: () => new PageRefusal('signInNotAvailable', 'sign_in_not_available', 503),
  providerUnreachable: () => new PageRefusal('providerUnreachable', 'provider_unavailable', 503),
  clientGone: () => new PageRefusal('clientGone', 'client_suspended', 403),
  signedOut: () => new PageRefusal('signedOut', 'signed_out', 403),
  signInAgain: () => new PageRefusal('signInAgain', 'sign_in_again', 403),
  signInToRaise: () => new PageRefusal('signInToRaise', 'sign_in_again', 403),
  intentNotFound: () => new PageRefusal('intentNotFound', 'confirmation_not_found', 404),
  accessEnded: () => new PageRefusal('accessEnded', 'access_ended', 409),
  mandatesOutOfReach: () => new PageRefusal('mandatesOutOfReach', 'service_unavailable', 503),
  unavailable: () => new PageRefusal('unavailable', 'service_unavailable', 503),
  failed: () => new PageRefusal('failed', 'internal_error', 500),
} as const
