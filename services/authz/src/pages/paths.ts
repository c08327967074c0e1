/** The paths of the pages. A path below one of these also belongs to the pages. */

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
  accountLimits: '/account/grants/:grantId/limits',
  accountLimitsSignIn: '/account/grants/:grantId/limits/sign-in',
  accountDisconnect: '/account/disconnect',
  accountConnect: '/account/connect',
  accountConnectSignIn: '/account/connect/sign-in',
  confirm: '/confirm/:intentId',
  confirmSignIn: '/confirm/:intentId/sign-in',
  approvalReturn: '/approval/return/:operationId',
} as const

const ours = /^\/(?:interaction|sign-in|sign-out|account|confirm|approval)(?:\/|$)/

/** Returns true if the pages answer a path, with an error page if no page has it. */
export function isPagePath(path: string): boolean {
  return ours.test(path)
}
