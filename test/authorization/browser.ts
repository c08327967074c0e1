/**
 * A browser for protocol tests: a cookie jar, redirects, and forms sent as a browser sends them (Origin by the page's
 * referrer policy, Sec-Fetch headers). It runs no script and stops at a client's redirect URI.
 */

import { CookieJar } from 'tough-cookie'
import { environment } from './environment.ts'
import { exchange, form, type HeaderList } from './http.ts'
import { onlyForm, type Page, press, readPage, refreshOf, type Submission } from './page.ts'

/** A request to a client's redirect URI, by redirect or by a form that submits itself. */
export type Left = { url: URL; params: URLSearchParams; mode: 'query' | 'fragment' | 'form_post' }

export type Arrival = { left: Left; page?: undefined } | { page: Page; left?: undefined }

export type Browser = {
  jar: CookieJar
  open(url: string | URL): Promise<Arrival>
  /** Presses a button or link of a page. */
  press(page: Page, pattern: RegExp, changes?: Record<string, string>): Promise<Arrival>
  send(submission: Submission, from?: Page): Promise<Arrival>
  /** Sends one request with the cookies of the jar; follows nothing. */
  once(submission: Submission, from?: Page, headers?: HeaderList): Promise<Page>
  cookies(): Promise<string[]>
}

/** The origins of the pages: this system's and the provider's. */
type Origins = { baseUrl: string; providerUrl: string }

const maxRedirects = 20

/** The page at which a browser waits after a confirmation, until the application has used the confirmation. */
const holding = /^\/confirm\/[^/]+\/next$/

/**
 * @param at the replica to talk to
 * @param manners `impatient`: the person closes the page that leads to one that would hold the browser
 */
export function createBrowser(at?: string, origins: Origins = environment(), manners?: 'impatient'): Browser {
  const jar = new CookieJar()
  const { baseUrl, providerUrl } = origins
  const known = new Set([baseUrl, providerUrl].map((url) => new URL(url).origin))

  const once = async (submission: Submission, from?: Page, more: HeaderList = []): Promise<Page> => {
    const { url, method, fields } = submission
    const target = new URL(url)
    const headers: HeaderList = [
      ['accept', 'text/html,application/xhtml+xml'],
      ...navigation(url, method, from),
      ...more,
    ]
    // The people of the fake provider have several languages. The tests read English.
    const cookie = [await jar.getCookieString(url.href), 'language=en'].filter((one) => one !== '').join('; ')
    headers.push(['cookie', cookie])
    let body: string | undefined
    if (method === 'GET') for (const [name, value] of fields) target.searchParams.append(name, value)
    else {
      body = new URLSearchParams(fields).toString()
      headers.push(...form)
    }
    // Another replica is addressed directly, as by a load balancer.
    const address = target.origin === baseUrl ? (at ?? baseUrl) + target.href.slice(baseUrl.length) : target.href
    const answer = await exchange(address.replace(/#.*$/s, ''), method, headers, body)
    for (const set of answer.headers.getSetCookie()) await jar.setCookie(set, url.href, { ignoreError: true })
    return readPage(target, answer)
  }

  const send = async (submission: Submission, from?: Page): Promise<Arrival> => {
    let next = submission
    for (let redirects = 0; redirects < maxRedirects; redirects += 1) {
      if (!known.has(next.url.origin)) return { left: leftTo(next) }
      const page = await once(next, from)
      const location = page.headers.get('location')
      if (page.status >= 300 && page.status < 400 && location) {
        const keep = page.status === 307 || page.status === 308
        next = { ...(keep ? next : { method: 'GET', fields: [] }), url: new URL(location, next.url) }
        continue
      }
      const onward = refreshOf(page)
      if (onward) {
        if (manners === 'impatient' && holding.test(onward.pathname)) return { page }
        next = { url: onward, method: 'GET', fields: [] }
        continue
      }
      const posted = onlyForm(page)
      if (posted && !known.has(posted.url.origin)) return { left: leftTo(posted) }
      return { page }
    }
    throw new Error(`more than ${maxRedirects} redirects, the last to ${next.url.origin}${next.url.pathname}`)
  }

  return {
    jar,
    open: (url) => send({ url: new URL(url), method: 'GET', fields: [] }),
    press: (page, pattern, changes) => send(press(page, pattern, changes), page),
    send,
    once,
    cookies: async () => (await jar.getCookies(baseUrl)).map(({ key }) => key),
  }
}

function leftTo({ url, method, fields }: Submission): Left {
  if (method === 'POST') return { url, params: new URLSearchParams(fields), mode: 'form_post' }
  if (url.hash.length > 1) return { url, params: new URLSearchParams(url.hash.slice(1)), mode: 'fragment' }
  return { url, params: url.searchParams, mode: 'query' }
}

function navigation(url: URL, method: string, from: Page | undefined): HeaderList {
  const sameOrigin = from?.url.origin === url.origin
  const site = from === undefined ? 'none' : sameOrigin ? 'same-origin' : 'cross-site'
  const headers: HeaderList = [
    ['sec-fetch-site', site],
    ['sec-fetch-mode', 'navigate'],
    ['sec-fetch-dest', 'document'],
    ['sec-fetch-user', '?1'],
  ]
  if (method !== 'POST') return headers
  const policy = from?.headers.get('referrer-policy') ?? ''
  const hidden = policy === 'no-referrer' || (policy === 'same-origin' && !sameOrigin)
  headers.push(['origin', hidden || from === undefined ? 'null' : from.url.origin])
  return headers
}
