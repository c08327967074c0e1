/**
 * The paths of the pages of authz, as one list. authz routes them, and the gateway carries every path of their folders
 * to it.
 */

export const pagePaths = {
  interaction: '/interaction/:uid',
  interactionSignIn: '/interaction/:uid/sign-in',
  interactionSignedIn: '/interaction/:uid/signed-in',
  interactionDeclined: '/interaction/:uid/declined',
  interactionConsent: '/interaction/:uid/consent',
  interactionDecline: '/interaction/:uid/decline',
  interactionAnswer: '/interaction/:uid/answer',
  signInReturn: '/sign-in/return',
  signOut: '/sign-out',
  account: '/account',
  accountSignIn: '/account/sign-in',
  accountActivity: '/account/activity',
  accountOperation: '/account/activity/:operationId',
  accountApplication: '/account/grants/:grantId',
  accountRevoke: '/account/grants/:grantId/revoke',
  accountPause: '/account/grants/:grantId/pause',
  accountName: '/account/grants/:grantId/name',
  accountLimits: '/account/grants/:grantId/limits',
  accountLimitsSignIn: '/account/grants/:grantId/limits/sign-in',
  accountMandate: '/account/mandates/:mandateId',
  accountMandatePause: '/account/mandates/:mandateId/pause',
  accountMandateEnd: '/account/mandates/:mandateId/end',
  accountMandateLimits: '/account/mandates/:mandateId/limits',
  accountDisconnect: '/account/disconnect',
  accountConnect: '/account/connect',
  accountConnectSignIn: '/account/connect/sign-in',
  confirm: '/confirm/:intentId',
  confirmNext: '/confirm/:intentId/next',
  confirmSignIn: '/confirm/:intentId/sign-in',
  approvalReturn: '/approval/return/:operationId',
  /** The picture of an application, by its SHA-256. */
  applicationLogo: '/application-logo/:digest',
  /** Entry of the code that a device shows. The protocol library of authz answers this folder. */
  device: '/device',
  deviceResumed: '/device/:uid',
} as const

type NamesIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** Fills in the parts of a path that begin with a colon: `/confirm/:intentId` becomes `/confirm/42`. */
export function pathTo<Path extends string>(path: Path, parts: Readonly<Record<NamesIn<Path>, string>>): string {
  return path.replaceAll(/:(\w+)/g, (_match, name: NamesIn<Path>) => encodeURIComponent(parts[name]))
}

const folders: ReadonlySet<string> = new Set(Object.values(pagePaths).map(folderOf))

function folderOf(path: string): string {
  return path.split('/', 2)[1] ?? ''
}

/** Returns true if the pages answer a path, with an error page if no page has it. */
export function isPagePath(path: string): boolean {
  return folders.has(folderOf(path))
}

/**
 * The paths of the pages as patterns of Fastify: `/account` for a page itself, and `/account/*` if a page lies below
 * it.
 */
export const tunnelledPagePaths: readonly string[] = [
  ...new Set(Object.values(pagePaths).map((path) => `/${folderOf(path)}${path.lastIndexOf('/') > 0 ? '/*' : ''}`)),
]
