/**
 * The paths that a service answers as an HTTP application, and the paths for this origin's own pages only. The latter
 * are the pages, the authorization endpoint, the routes that answer by the session cookie, and the operators' routes. They never
 * take part in CORS.
 */

import type { Route } from '@financial-agents/contract/route'
import { routes } from '@financial-agents/contract/routes'
import { tunnelledPagePaths } from '@financial-agents/pages/page-paths'

const protocolPaths = ['/oauth/*', '/.well-known/*'] as const

const consolePaths = ['/ops', '/ops/*'] as const

/** Paths in Fastify's form. Every method is carried: the service decides the methods of a path. */
export const tunnelledPaths = { authz: [...protocolPaths, ...tunnelledPagePaths], 'ops-console': consolePaths } as const

export type TunnelledService = keyof typeof tunnelledPaths

const ofPeople = [...tunnelledPagePaths, ...consolePaths]
const pages = new Set(ofPeople.filter((path) => !path.endsWith('*')))
const folders = ofPeople.filter((path) => path.endsWith('*')).map((path) => path.slice(0, -1))
const operatorFolder = '/v1/ops/'
const sessionPaths = new Set<string>(
  Object.values(routes as Record<string, Route>)
    .filter((row) => row.browserSession)
    .map((row) => row.path),
)

/** True for the pages of authz and of the console. */
export function isPagePath(path: string): boolean {
  return pages.has(path) || folders.some((folder) => path.startsWith(folder))
}

/** True for the paths of programs. Every other path may be opened in a browser, and is answered there by a page. */
export function isApiPath(path: string): boolean {
  return /^\/(?:v1|oauth|\.well-known)(?:\/|$)/.test(path)
}

/** True for the endpoints that answer errors in OAuth's form. */
export function isOauthPath(path: string): boolean {
  return path.startsWith('/oauth/')
}

/** The only OAuth endpoint to which browsers are sent, and the way back to it from a page. */
export function isAuthorizePath(path: string): boolean {
  return path === '/oauth/authorize' || path.startsWith('/oauth/authorize/')
}

/** True for the documents that are published to every program, and for every answer at an address of that kind. */
export function isPublishedPath(path: string): boolean {
  return path.startsWith('/.well-known/') || path === '/oauth/jwks'
}

export function isSameOriginOnly(path: string): boolean {
  if (path.startsWith('/v1/')) return sessionPaths.has(path) || path.startsWith(operatorFolder)
  return isPagePath(path) || isAuthorizePath(path)
}

/** True if every reader resolves the path in the same way. Dot segments and backslashes can lead to another path. */
export function isPlainPath(path: string): boolean {
  return URL.parse(path, 'http://localhost')?.pathname === path
}
