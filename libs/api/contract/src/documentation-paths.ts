/** The addresses of the documentation site below an origin: the pages of the gateway and the OpenAPI document link to them. */

import type { Route } from './route.ts'

/** The path of the site. */
export const documentationRoot = '/docs'

/** The page sends requests to the stack that serves it, and is the redirect address of its client. */
export const tryPath = `${documentationRoot}/try/`

/** The public client of the page at `tryPath`. A development stack registers it on its own origin. */
export const tryClientId = 'docs-try'

/** The path of a route's page, for example `/docs/reference/routes/operations/get-operation/`. */
export function routePagePath(name: string, { area }: Pick<Route, 'area'>): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  return `${documentationRoot}/reference/routes/${area}/${words}/`
}
