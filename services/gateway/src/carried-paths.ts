/**
 * The paths that a service answers as an HTTP application, and which paths are for the browser's own origin alone: the pages,
 * the routes that answer for the browser's session cookie, and those of operators. Those never take part in CORS.
 */

import type { Route } from '@financial-agents/contract/route'
import { routes } from '@financial-agents/contract/routes'
import { carriedPagePaths } from '@financial-agents/pages/page-paths'

const protocolPaths = ['/oauth/*', '/.well-known/*'] as const

const pagePaths = [...carriedPagePaths, '/device', '/device/*']

const consolePaths = ['/ops', '/ops/*'] as const

/** As Fastify routes them. Any method is carried: the service knows which ones a path takes. */
export const carriedPaths = { authz: [...protocolPaths, ...pagePaths], 'ops-console': consolePaths } as const

export type CarriedService = keyof typeof carriedPaths

const ofPeople = [...pagePaths, ...consolePaths]
const pages = new Set(ofPeople.filter((path) => !path.endsWith('*')) as string[])
const folders = ofPeople.filter((path) => path.endsWith('*')).map((path) => path.slice(0, -1))
const operatorFolder = '/v1/ops/'
const sessionPaths = new Set<string>(
  Object.values(routes as Record<string, Route>)
    .filter((row) => row.browserSession)
    .map((row) => row.path),
)

/** The pages of authz and of the console, which a person reads. */
export function isPagePath(path: string): boolean {
  return pages.has(path) || folders.some((folder) => path.startsWith(folder))
}

/** The endpoints that answer errors in the words of OAuth. */
export function isOauthPath(path: string): boolean {
  return path.startsWith('/oauth/')
}

export function isSameOriginOnly(path: string): boolean {
  return path.startsWith('/v1/') ? sessionPaths.has(path) || path.startsWith(operatorFolder) : isPagePath(path)
}

/** Whether the path means the same to every reader: dot segments and backslashes lead whoever resolves them elsewhere. */
export function isPlainPath(path: string): boolean {
  return URL.parse(path, 'http://localhost')?.pathname === path
}
