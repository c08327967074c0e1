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

export async function applicationNamed(clientId: string): Promise<Application> {
  const { baseUrl, providerUrl, clients } = environment()
  const ours = new Set([baseUrl, providerUrl])
  const registered = clients.find(({ client_id }) => client_id === clientId)
  if (!registered || registered.profile === 'service') throw new Error(`the stack has no application ${clientId}`)
  const client = await createApplicationClient(baseUrl, registered)
  const redirectUri = registered.redirect_uris[0] as string
  const comesBack = async (page: Page) => {
    const [answer] = await Promise.all([
      page.waitForRequest((asked) => asked.url().startsWith(`${redirectUri}?`)),
      // The browser's own error page must have loaded, or it would interrupt the next visit.
      page.waitForEvent('framenavigated', (frame) => !ours.has(new URL(frame.url()).origin)),
    ])
    return new URL(answer.url())
  }
  return {
    ...client,
    redirectUri,
    open: async (page, parameters) => {
      const request = await client.authorize(redirectUri, parameters)
      await page.goto(request.url.href)
      return { request, comesBack: () => comesBack(page) }
    },
    openSilently: async (page, parameters) => {
      const { url } = await client.authorize(redirectUri, parameters)
      const [answer] = await Promise.all([comesBack(page), page.goto(url.href).catch(() => {})])
      return answer
    },
  }
}
