/** An owner who opens whatever page a client shows: signs in, compares the code, consents, confirms, approves. */

import { type Browser, createBrowser } from '../../authorization/browser.ts'
import { type Page, pressable, wordsOf } from '../../authorization/page.ts'
import { type Person, people } from '../../authorization/walk.ts'
import type { TestStack } from '../../stack.test-helper.ts'

const buttons = [
  /^yes, the codes are the same$/i,
  /^(?:connect and )?allow$/i,
  /^confirm$/i,
  /^approve$/i,
  /^sign in at your provider$/i,
  /^continue$/i,
]

export type Walker = {
  /** Opens the page and does what it asks for; returns the redirect to the application, or the last page's words. */
  open(url: string): Promise<{ left?: URL; words?: string }>
}

/**
 * Creates an owner with a browser of their own.
 *
 * @param first a button that the owner presses before all others on every page of ours that has it
 * @param manners `impatient`: the owner confirms and closes the page, because the application goes on only afterwards
 */
export function walkerOf(
  { baseUrl, providerUrl }: Pick<TestStack, 'baseUrl' | 'providerUrl'>,
  person: Person,
  first?: RegExp,
  manners?: 'impatient',
): Walker {
  const origins = { baseUrl, providerUrl: new URL(providerUrl).origin }
  const browser: Browser = createBrowser(undefined, origins, manners)
  return {
    open: async (url) => {
      let here = await browser.open(url)
      for (let steps = 0; steps < 12; steps += 1) {
        if (here.left) return { left: here.left.url }
        const { page } = here
        const atProvider = page.url.origin === origins.providerUrl
        const button = buttonOf(page, first && !atProvider ? [first, ...buttons] : buttons)
        if (!button) return { words: wordsOf(page) }
        here = await browser.press(page, button, atProvider ? { persona: people[person] } : {})
      }
      throw new Error(`the pages at ${url} do not end`)
    },
  }
}

function buttonOf(page: Page, from: readonly RegExp[]): RegExp | undefined {
  return page.status < 400 ? from.find((pattern) => pressable(page, pattern)) : undefined
}
