/** An owner at the pages of a stack: confirms or declines a client's requests, and decides at the provider. */

import { type Arrival, type Browser, createBrowser } from './authorization/browser.ts'
import { type Person, people } from './authorization/flow.ts'
import { type Page, pressable, wordsOf } from './authorization/page.ts'

export type Owner = {
  /** Opens a page of this origin. Signs in if the page asks for it. */
  read(url: string): Promise<Page>
  /** Presses a button of such a page; `changes` are the values that the owner typed or ticked. */
  press(page: Page, button: RegExp, changes?: Record<string, string>): Promise<Page>
  /** Presses a button that redirects to an application; returns the address of the redirect. */
  leave(page: Page, button: RegExp, changes?: Record<string, string>): Promise<URL>
  confirm(confirmationUrl: string): Promise<Page>
  decline(confirmationUrl: string): Promise<Page>
  /** Decides on the provider's page behind `action_required`; returns the page or redirect that follows. */
  decideAtProvider(url: string, decision: 'approve' | 'decline'): Promise<Arrival>
  /** The cookies of this origin by name. With them, another browser is signed in too. */
  cookies(): Promise<Record<string, string>>
}

export function ownerOf({ baseUrl, providerUrl }: { baseUrl: string; providerUrl: string }, person: Person): Owner {
  const origins = { baseUrl, providerUrl: new URL(providerUrl).origin }
  const browser = createBrowser(undefined, origins, 'impatient')
  const read = async (url: string) => signedIn(browser, origins.providerUrl, person, await browser.open(url))
  const press = async (from: Page, button: RegExp, changes?: Record<string, string>) => {
    const { page } = await browser.press(from, button, changes)
    if (!page) throw new Error('a page left this origin')
    return page
  }
  return {
    read,
    press,
    leave: async (page, button, changes) => {
      const { left } = await browser.press(page, button, changes)
      if (!left) throw new Error('the browser did not leave this origin')
      return left.url
    },
    confirm: async (url) => press(await read(url), /^confirm$/i),
    decline: async (url) => press(await read(url), /^decline$/i),
    decideAtProvider: async (url, decision) => {
      const { page } = await browser.open(url)
      if (!page) throw new Error('the page of the provider is not there')
      return browser.press(page, decision === 'approve' ? /^approve$/i : /^decline$/i)
    },
    cookies: async () =>
      Object.fromEntries((await browser.jar.getCookies(baseUrl)).map(({ key, value }) => [key, value])),
  }
}

/** Signs in at the provider if a page asks for it. */
async function signedIn(browser: Browser, provider: string, person: Person, start: Arrival): Promise<Page> {
  let here = start
  for (let steps = 0; steps < 4 && here.page; steps += 1) {
    const { page } = here
    if (page.url.origin === provider) here = await browser.press(page, /^approve$/i, { test_user: people[person] })
    else if (pressable(page, /^sign in at your provider$/i))
      here = await browser.press(page, /^sign in at your provider$/i)
    else return page
  }
  throw new Error(`the page is not there: ${here.page ? wordsOf(here.page) : 'left'}`)
}
