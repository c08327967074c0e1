/** Where the pages are, with the methods of each. A path below one of these belongs to it. */

import type { HTTPMethods } from 'fastify'

export const pagePaths = {
  interaction: '/interaction/:uid',
  interactionSignIn: '/interaction/:uid/sign-in',
  interactionSignedIn: '/interaction/:uid/signed-in',
  interactionDeclined: '/interaction/:uid/declined',
  interactionConsent: '/interaction/:uid/consent',
  interactionDecline: '/interaction/:uid/decline',
  signInReturn: '/sign-in/return',
  signOut: '/sign-out',
  account: '/account',
  accountSignIn: '/account/sign-in',
  accountRevoke: '/account/grants/:grantId/revoke',
  accountDisconnect: '/account/disconnect',
  confirm: '/confirm/:intentId',
  confirmSignIn: '/confirm/:intentId/sign-in',
} as const

/** Methods of each page, HEAD aside. */
export const pageMethods: { readonly [P in keyof typeof pagePaths]: readonly HTTPMethods[] } = {
  interaction: ['GET'],
  interactionSignIn: ['POST'],
  interactionSignedIn: ['GET'],
  interactionDeclined: ['GET'],
  interactionConsent: ['POST'],
  interactionDecline: ['POST'],
  signInReturn: ['GET'],
  signOut: ['POST'],
  account: ['GET'],
  accountSignIn: ['POST'],
  accountRevoke: ['POST'],
  accountDisconnect: ['GET', 'POST'],
  confirm: ['GET', 'POST'],
  confirmSignIn: ['POST'],
}

/** Where GET /v1/session is answered: a route of the contract, for browsers. */
export const sessionPath = '/v1/session'

const ours = /^\/(?:interaction|sign-in|sign-out|account|confirm)(?:\/|$)/

/** Whether a path (with or without a query) is for the pages to answer, with an error page where there is none. */
export function isPagePath(url: string): boolean {
  return ours.test(url.replace(/\?.*$/s, ''))
}

/** The methods of the page at this path; undefined where there is none. */
export function methodsOf(url: string): readonly HTTPMethods[] | undefined {
  const path = url.replace(/\?.*$/s, '')
  const names = Object.keys(pagePaths) as (keyof typeof pagePaths)[]
  const name = names.find((one) => patterns[one].test(path))
  return name && pageMethods[name]
}

const patterns = Object.fromEntries(
  Object.entries(pagePaths).map(([name, path]) => [name, new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`)]),
) as Record<keyof typeof pagePaths, RegExp>
