/** An owner who opens whatever page a client shows: enters the code, signs in, consents, confirms, approves. */

import { type Browser, createBrowser } from '../../authorization/browser.ts'
import { type Person, people } from '../../authorization/flow.ts'
import { type Page, pressable, wordsOf } from '../../authorization/page.ts'
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
  /**
   * Opens the page and does what it asks for; returns the redirect to the application, or the last page's words.
   *
   * @param code what the owner enters, if the page asks for a code
   */
  open: (url: string, code?: string) => Promise<{ left?: URL; words?: string }>
}

/**
 * Reads the lines that a program prints. Passes each address on, and the address of a device's page with the code that is printed
 * beside or below it.
 */
export function readerOf(address: RegExp, open: (url: string, code?: string) => unknown): (line: string) => void {
  let waiting: string | undefined
  return (line) => {
    const url = address.exec(line)?.[1]
    const [code] = codePattern.exec(line) ?? []
    if (url?.endsWith('/device')) waiting = url
    else if (url !== undefined) open(url)
    if (waiting === undefined || code === undefined) return
    open(waiting, code)
    waiting = undefined
  }
}

/** A device's code within a text. */
export const codePattern = /\b[A-Z]{4}-[A-Z]{4}\b/

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
    open: async (url, code) => {
      let here = await browser.open(url)
      for (let steps = 0; steps < 12; steps += 1) {
        if (here.left) return { left: here.left.url }
        const { page } = here
        const atProvider = page.url.origin === origins.providerUrl
        const button = buttonOf(page, first && !atProvider ? [first, ...buttons] : buttons)
        if (!button) return { words: wordsOf(page) }
        const entered =
          code !== undefined && page.root.querySelector('input[name=user_code]') ? { user_code: code } : {}
        here = await browser.press(page, button, atProvider ? { test_user: people[person] } : entered)
      }
      throw new Error(`the pages at ${url} do not end`)
    },
  }
}

function buttonOf(page: Page, from: readonly RegExp[]): RegExp | undefined {
  return page.status < 400 ? from.find((pattern) => pressable(page, pattern)) : undefined
}
