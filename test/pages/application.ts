/** An application of the stack, and the answers with which its browser returns. */

import {
  type ApplicationClient,
  type AuthorizationRequest,
  createApplicationClient,
} from '@financial-agents/testkit/application-client'
import type { Page } from 'playwright-core'
import { environment } from './environment.ts'

export type Application = ApplicationClient & {
  /** Nothing listens at this address. A test sees only the browser's request. */
  redirectUri: string
  /** Sends the browser to the authorization endpoint; one of our pages opens. */
  open(page: Page, parameters?: Record<string, string>): Promise<Authorization>
  /**
   * Sends the browser to the authorization endpoint; no page opens. Returns the address that the browser is redirected
   * to.
   */
  openSilently(page: Page, parameters?: Record<string, string>): Promise<URL>
}

export type Authorization = {
  request: AuthorizationRequest
  /** Waits until the browser is redirected to the application. Call this before the click that redirects it. */
  comesBack(): Promise<URL>
}

/** Waits for the next request that leaves the page for an application. */
type NextLeaving = () => Promise<URL>

const watched = new WeakMap<Page, Promise<NextLeaving>>()

/**
 * From now on, the page stays open when the browser is redirected to an application, where nothing listens: the browser would
 * open its error page, in a process of its own.
 */
function watchLeaving(page: Page): Promise<NextLeaving> {
  const watching = watched.get(page) ?? watch(page)
  watched.set(page, watching)
  return watching
}

async function watch(page: Page): Promise<NextLeaving> {
  const session = await page.context().newCDPSession(page)
  let leaving = Promise.withResolvers<URL>()
  // Playwright's own routes do not cover redirects.
  session.on('Fetch.requestPaused', ({ requestId, request }) => {
    leaving.resolve(new URL(request.url))
    void session.send('Fetch.fulfillRequest', { requestId, responseCode: 204 })
  })
  const redirectUris = environment().clients.flatMap((client) =>
    client.profile === 'service' ? [] : client.redirect_uris,
  )
  const outside = redirectUris.filter((uri) => !uri.startsWith(environment().baseUrl))
  await session.send('Fetch.enable', { patterns: outside.map((uri) => ({ urlPattern: `${uri}?*` })) })
  return () => {
    leaving = Promise.withResolvers()
    return leaving.promise
  }
}

export async function applicationNamed(clientId: string): Promise<Application> {
  const { baseUrl, clients } = environment()
  const registered = clients.find(({ client_id }) => client_id === clientId)
  if (!registered || registered.profile === 'service') throw new Error(`the stack has no application ${clientId}`)
  const client = await createApplicationClient(baseUrl, registered)
  const redirectUri = registered.redirect_uris[0] as string
  return {
    ...client,
    redirectUri,
    open: async (page, parameters) => {
      const request = await client.authorize(redirectUri, parameters)
      const comesBack = await watchLeaving(page)
      await page.goto(request.url.href)
      return { request, comesBack }
    },
    openSilently: async (page, parameters) => {
      const { url } = await client.authorize(redirectUri, parameters)
      const comesBack = await watchLeaving(page)
      // The page that was open stays, which a visit reports as an error.
      const [answer] = await Promise.all([comesBack(), page.goto(url.href).catch(() => {})])
      return answer
    },
  }
}
