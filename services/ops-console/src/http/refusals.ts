/** Failures as pages: each explains the failure and the next step. No page repeats what the client sent. */

import { Problem } from '@financial-agents/contract/problem'
import { errorPage } from '@financial-agents/pages/error-page'
import type { Page } from '@financial-agents/pages/page'
import { currentContext } from '@financial-agents/runtime/context'
import { Unavailable } from '@financial-agents/runtime/unavailable'
import { ApiRefusal } from '../api/api-client.ts'

export class PageRefusal extends Error {
  override readonly name = 'PageRefusal'
  readonly status: number
  readonly code: string
  readonly page: Page

  constructor(status: number, code: string, facts: { title: string; explanation: string; whatToDo: string }) {
    super(code)
    this.status = status
    this.code = code
    this.page = errorPage({ ...facts, code, requestId: currentContext()?.requestId })
  }
}

export const refusals = {
  notFound: () =>
    new PageRefusal(404, 'not_found', {
      title: 'There is nothing here',
      explanation: 'The console has no page at this address, or what it was about does not exist.',
      whatToDo: 'Go back to the overview and look for it from there.',
    }),
  wrongMethod: () =>
    new PageRefusal(405, 'method_not_allowed', {
      title: 'This page is not asked for like that',
      explanation: 'The address is right, but not the way in which your browser used it.',
      whatToDo: 'Go back to the overview and start again.',
    }),
  badForm: (status = 400) =>
    new PageRefusal(status, 'malformed_request', {
      title: 'The form could not be read',
      explanation: 'What your browser sent is not what the page’s form sends.',
      whatToDo: 'Go back, reload the page and try again.',
    }),
  forgedForm: () =>
    new PageRefusal(403, 'forged_form', {
      title: 'This form is out of date',
      explanation: 'It was not sent by a page of this session. Nothing was done.',
      whatToDo: 'Open the page again and send the form from there.',
    }),
  insufficientScope: () =>
    new PageRefusal(403, 'insufficient_scope', {
      title: 'You may not do this',
      explanation: 'Your groups do not give you what this page needs.',
      whatToDo: 'Ask whoever manages access in your organisation, then sign in again.',
    }),
  signedOut: () =>
    new PageRefusal(401, 'signed_out', {
      title: 'You are signed out',
      explanation: 'Your session is over. Nothing was done.',
      whatToDo: 'Sign in again.',
    }),
  noGroup: () =>
    new PageRefusal(403, 'no_group', {
      title: 'You have no access to the console',
      explanation: 'Your organisation knows you, but none of your groups may use this console. You are not signed in.',
      whatToDo: 'Ask whoever manages access in your organisation to add you to a group, then sign in again.',
    }),
  staleSignIn: () =>
    new PageRefusal(400, 'stale_sign_in', {
      title: 'This sign-in is over',
      explanation: 'It was completed already, took longer than ten minutes, or began in another browser.',
      whatToDo: 'Sign in again from the console.',
    }),
  declinedSignIn: () =>
    new PageRefusal(403, 'sign_in_declined', {
      title: 'You are not signed in',
      explanation: 'Your organisation’s sign-in page sent you back without signing you in.',
      whatToDo: 'Sign in again if you did not mean to stop.',
    }),
  invalidSignIn: () =>
    new PageRefusal(502, 'invalid_sign_in', {
      title: 'The sign-in could not be verified',
      explanation: 'What your organisation’s sign-in sent is not what was asked for. You are not signed in.',
      whatToDo: 'Sign in again. If it happens again, tell whoever runs the sign-in of your organisation.',
    }),
  identityProviderDown: () =>
    new PageRefusal(503, 'identity_provider_unavailable', {
      title: 'Sign-in is out of reach',
      explanation: 'Your organisation’s sign-in service does not answer.',
      whatToDo: 'Try again in a moment. Whoever is signed in already can go on working.',
    }),
  unavailable: () =>
    new PageRefusal(503, 'service_unavailable', {
      title: 'This cannot be shown now',
      explanation: 'A part of the service that this page needs does not answer.',
      whatToDo: 'Reload the page in a moment.',
    }),
  uncertain: () =>
    new PageRefusal(503, 'acceptance_unknown', {
      title: 'It is not known whether this was done',
      explanation: 'No answer came in time. It may have been carried out.',
      whatToDo: 'Look at the grant, and do it again if it did not happen: suspending twice changes nothing.',
    }),
  failed: () =>
    new PageRefusal(500, 'internal_error', {
      title: 'Something went wrong',
      explanation: 'The fault is ours. It has been noted.',
      whatToDo: 'Try again. If it happens again, name the request below.',
    }),
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
