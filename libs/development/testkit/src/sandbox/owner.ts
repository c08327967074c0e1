/**
 * An owner without a person: opens a page, and presses the button that signs in, consents, confirms or approves, until
 * nothing is left to press. Inês Carvalho decides everything with yes.
 */

import { type HTMLElement, parse } from 'node-html-parser'
import { request } from 'undici'

/** Opens pages for the owner. */
export type Owner = {
  /**
   * Opens a page and does what it asks for, after everything that was opened before.
   * @param code what the owner enters on the page of a device
   * @returns the words of the last page, or the address outside of the system to which it led
   */
  open(url: string, code?: string): Promise<string>
}

const testUser = 'per_ines'

/** Pressed in this order where a page has several. */
const buttons = [
  /^yes, the codes are the same$/i,
  /^(?:connect and )?allow$/i,
  /^confirm$/i,
  /^approve$/i,
  /^sign in at your provider$/i,
  /^continue$/i,
]

const mostSteps = 40

type Page = { url: URL; root: HTMLElement }
type Request = { url: URL; fields?: URLSearchParams }

/** @param origins of the pages: the system's and the provider's; the owner goes nowhere else */
export function createOwner(origins: readonly string[]): Owner {
  const known = new Set(origins.map((url) => new URL(url).origin))
  const cookies = new Map<string, Map<string, string>>()
  const jarOf = ({ origin }: URL) => {
    const jar = cookies.get(origin) ?? new Map([['language', 'en']])
    cookies.set(origin, jar)
    return jar
  }
  const send = async ({ url, fields }: Request, from?: Page) => {
    const jar = jarOf(url)
    // `fetch` would send the headers of a script.
    const answer = await request(url, {
      ...(fields && { method: 'POST', body: fields.toString() }),
      headers: {
        accept: 'text/html',
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        'sec-fetch-site': from === undefined ? 'none' : from.url.origin === url.origin ? 'same-origin' : 'cross-site',
        'sec-fetch-mode': 'navigate',
        'sec-fetch-dest': 'document',
        ...(fields && from && { origin: from.url.origin, 'content-type': 'application/x-www-form-urlencoded' }),
      },
    })
    for (const set of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (/max-age=0|expires=thu, 01 jan 1970/i.test(set)) jar.delete(name)
      else jar.set(name, value)
    }
    return answer
  }
  const walk = async (url: string, code?: string): Promise<string> => {
    let next: Request = { url: new URL(url) }
    let page: Page | undefined
    for (let steps = 0; steps < mostSteps; steps += 1) {
      if (!known.has(next.url.origin)) {
        // The application waits at this address for the answer.
        await request(next.url).then(
          ({ body }) => body.dump(),
          () => {},
        )
        return next.url.href
      }
      const answer = await send(next, page)
      const text = await answer.body.text()
      const { location } = answer.headers
      if (typeof location === 'string') {
        next = { url: new URL(location, next.url) }
        continue
      }
      page = { url: next.url, root: parse(text) }
      const pressed = answer.statusCode < 400 ? (refreshOf(page) ?? press(page, code)) : undefined
      if (pressed === undefined) return wordsOf(page)
      next = pressed
    }
    throw new Error(`the pages at ${url} do not end`)
  }
  let last: Promise<unknown> = Promise.resolve()
  return {
    open: (url, code) => {
      const opened = last.then(() => walk(url, code))
      last = opened.catch(() => {})
      return opened
    },
  }
}

/** The page that this page leads to by itself. Not followed where it waits for the application. */
function refreshOf({ url, root }: Page): Request | undefined {
  const content = root.querySelector('meta[http-equiv=refresh]')?.getAttribute('content') ?? ''
  const target = /^0; ?url=(.+)$/i.exec(content)?.[1]
  return target === undefined || target.endsWith('/next') ? undefined : { url: new URL(target, url) }
}

function press(page: Page, code: string | undefined): Request | undefined {
  const all = page.root.querySelectorAll('button, input[type=submit], a[href]')
  const button = buttons
    .map((pattern) => all.find((element) => pattern.test(labelOf(element))))
    .find((element) => element !== undefined)
  if (button === undefined) return undefined
  if (button.tagName === 'A') return { url: new URL(button.getAttribute('href') ?? '', page.url) }
  const form = button.closest('form')
  if (!form) return undefined
  const fields = new URLSearchParams()
  for (const field of form.querySelectorAll('input')) {
    const name = field.getAttribute('name')
    const type = field.getAttribute('type') ?? 'text'
    const isOff = ['checkbox', 'radio'].includes(type) && !field.hasAttribute('checked')
    if (name && !isOff && type !== 'submit') fields.append(name, field.getAttribute('value') ?? 'on')
  }
  for (const field of form.querySelectorAll('select')) {
    const chosen = field.querySelector('option[selected]') ?? field.querySelector('option')
    fields.append(field.getAttribute('name') ?? '', chosen?.getAttribute('value') ?? chosen?.text ?? '')
  }
  if (fields.has('user_code') && code !== undefined) fields.set('user_code', code)
  if (form.querySelector('input[name=test_user]')) fields.set('test_user', testUser)
  const name = button.getAttribute('name')
  if (name) fields.append(name, button.getAttribute('value') ?? '')
  const action = button.getAttribute('formaction') ?? form.getAttribute('action') ?? page.url.href
  const url = new URL(action, page.url)
  if ((form.getAttribute('method') ?? 'get').toLowerCase() === 'post') return { url, fields }
  url.search = fields.toString()
  return { url }
}

function labelOf(element: HTMLElement): string {
  const label = element.tagName === 'INPUT' ? (element.getAttribute('value') ?? '') : element.text
  return label.replaceAll(/\s+/g, ' ').trim()
}

function wordsOf({ root }: Page): string {
  return (root.querySelector('body') ?? root).structuredText.replaceAll(/\s+/g, ' ').trim()
}
