/** The other side of an authorization: an application of the stack, and what its browser is sent back with. */

import {
  type ApplicationClient,
  type AuthorizationRequest,
  createApplicationClient,
} from '@financial-agents/testkit/application-client'
import type { Page } from 'playwright-core'
import { environment } from './environment.ts'

export type Application = ApplicationClient & {
  /** Sends the browser to authorize, where a page of ours waits for the person. */
  open(page: Page, parameters?: Record<string, string>): Promise<Authorization>
  /** Sends it where none does: the address with which it comes straight back. */
  openSilently(page: Page, parameters?: Record<string, string>): Promise<URL>
}

export type Authorization = {
  request: AuthorizationRequest
  /** Waits for the browser to be sent back; to be called before what sends it back. */
  comesBack(): Promise<URL>
}

export async function applicationNamed(clientId: string): Promise<Application> {
  const { baseUrl, providerUrl, clients } = environment()
  const ours = new Set([baseUrl, providerUrl])
  const registered = clients.find(({ client_id }) => client_id === clientId)
  if (!registered || registered.profile === 'service') throw new Error(`the stack has no application ${clientId}`)
  const client = await createApplicationClient(baseUrl, registered)
  // Nobody listens there: what the browser asks for is all there is to see.
  const redirectUri = registered.redirect_uris[0] as string
  const comesBack = async (page: Page) => {
    const [answer] = await Promise.all([
      page.waitForRequest((asked) => asked.url().startsWith(`${redirectUri}?`)),
      // What the browser shows instead must be there, or it would cut off the next visit.
      page.waitForEvent('framenavigated', (frame) => !ours.has(new URL(frame.url()).origin)),
    ])
    return new URL(answer.url())
  }
  return {
    ...client,
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
