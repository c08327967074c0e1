/** The steps of an owner's browser through an authorization: sign-in, consent, and the redirect out of this origin. */

import type { TunnelledResponse } from '@financial-agents/bus/messages/http'
import { authorizeUrl, type Browser, browse, locationOf, makeAttempt } from '../test-client.test-helper.ts'
import { baseUrl, type TestClient } from '../test-server.test-helper.ts'
import { formTo, type OpenedPage, open, send, signInFrom, type TestPages } from './pages.test-helper.ts'

type Parameters = Record<string, string | undefined>

/** Returns the address of the interaction to which an authorization request leads. */
export async function beginAuthorization(
  pages: TestPages,
  browser: Browser,
  client: TestClient,
  parameters: Parameters = {},
): Promise<string> {
  const attempt = await makeAttempt(client, parameters)
  return locationOf(await browse(pages.server, browser, await authorizeUrl(pages.server, client, attempt)))
}

/** Signs in and opens the consent page. */
export async function arriveAtConsent(
  pages: TestPages,
  browser: Browser,
  client: TestClient,
  parameters: Parameters = {},
): Promise<OpenedPage> {
  const page = await open(pages, browser, await beginAuthorization(pages, browser, client, parameters))
  const resume = locationOf(await browse(pages.server, browser, await signInFrom(pages, browser, page)))
  return open(pages, browser, locationOf(await browse(pages.server, browser, resume)))
}

/** Answers the consent page. */
export function decide(
  pages: TestPages,
  browser: Browser,
  page: OpenedPage,
  decision: 'allow' | 'decline',
  more: Record<string, string> = {},
): Promise<TunnelledResponse> {
  return send(pages, browser, formTo(page, '/consent'), { decision, ...more })
}

/** Follows redirects within the origin until the browser leaves it. */
export async function leaveOrigin(pages: TestPages, browser: Browser, location: string): Promise<URL> {
  let here = location
  for (let step = 0; step < 5 && (here.startsWith('/') || here.startsWith(baseUrl)); step += 1)
    here = locationOf(await browse(pages.server, browser, here))
  return new URL(here)
}
