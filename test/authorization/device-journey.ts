/** A person with a device's code: enters the code, confirms that the device is theirs, signs in, consents. */

import type { Browser } from './browser.ts'
import { environment } from './environment.ts'
import { type FlowEnd, flow, type Plan } from './flow.ts'
import { type Page, pressable, wordsOf } from './page.ts'

/** The button that takes a code for one's own device. */
export const confirmDevice = /^yes, the codes are the same$/i

/** Enters the code; returns the next page. */
export async function enterCode(browser: Browser, userCode: string): Promise<Page> {
  const entry = await browser.open(`${environment().baseUrl}/device`)
  if (!entry.page) throw new Error('the device page sent somewhere')
  const { page } = await browser.press(entry.page, /^continue$/i, { user_code: userCode })
  if (!page) throw new Error('the device page sent somewhere')
  return page
}

/** Runs the whole way. The device polls afterwards. */
export async function connectDevice(browser: Browser, userCode: string, plan: Plan = {}): Promise<FlowEnd> {
  const page = await enterCode(browser, userCode)
  if (!pressable(page, confirmDevice)) throw new Error(`the code was not taken: ${wordsOf(page).slice(0, 300)}`)
  const flowEnd = await flow(browser, await browser.press(page, confirmDevice), plan)
  if (!flowEnd.page || flowEnd.page.status >= 500) throw new Error('the way did not end on a page')
  return flowEnd
}
