/**
 * A browser without a window: it loads the console's pages over the bus, as the gateway does, and the identity
 * provider's pages by HTTP.
 */

import { randomUUID } from 'node:crypto'
import type { Bus } from '@financial-agents/bus/connect'
import { call } from '@financial-agents/bus/rpc'
import { consoleUrl } from './operator-client.test-helper.ts'

export type Answer = { status: number; headers: Headers; text: string }
export type Browser = ReturnType<typeof createBrowser>

type Asking = { method?: string; form?: Record<string, string>; headers?: Record<string, string> }

const form = 'application/x-www-form-urlencoded'

export function createBrowser(gateway: Bus) {
  const jars = { console: new Map<string, string>(), provider: new Map<string, string>() }

  const ask = async (target: string, { method, form: fields, headers = {} }: Asking = {}): Promise<Answer> => {
    const tunnelled = await call(
      gateway,
      'rpc.ops-console.http',
      {
        method: method ?? (fields ? 'POST' : 'GET'),
        target,
        headers: Object.entries({
          cookie: cookieHeader(jars.console),
          ...(fields ? { 'content-type': form, origin: consoleUrl } : {}),
          ...headers,
        }),
        body: Buffer.from(fields ? new URLSearchParams(fields).toString() : '').toString('base64'),
        remote_address: '192.0.2.7',
      },
      { requestId: randomUUID(), traceparent: '', timeoutMs: 60_000 },
    )
    const answer = new Headers(tunnelled.headers)
    keep(jars.console, answer)
    return { status: tunnelled.status, headers: answer, text: Buffer.from(tunnelled.body, 'base64').toString() }
  }

  const askProvider = async (url: string, fields?: Record<string, string>): Promise<Response> => {
    const body = fields && new URLSearchParams(fields)
    const headers = { cookie: cookieHeader(jars.provider), ...(body ? { 'content-type': form } : {}) }
    const response = await fetch(url, {
      method: body ? 'POST' : 'GET',
      headers,
      redirect: 'manual',
      body: body ?? null,
    })
    keep(jars.provider, response.headers)
    return response
  }

  /** Returns the address to which the provider sends the browser back. `person` is chosen there. */
  const choose = async (authorizationUrl: string, person: string): Promise<string> => {
    let url = authorizationUrl
    for (let steps = 0; steps < 10 && !url.startsWith(consoleUrl); steps += 1) {
      let response = await askProvider(url)
      if (response.status === 200) response = await askProvider(url, { person })
      const location = response.headers.get('location')
      if (!location) throw new Error(`the identity provider answered ${response.status}`)
      url = new URL(location, url).href
    }
    return url.slice(consoleUrl.length)
  }

  /** Presses the button of the sign-in page. Returns the address at the provider. */
  const begin = async (next?: string): Promise<string> => {
    const page = await ask(`/ops/sign-in${next === undefined ? '' : `?next=${encodeURIComponent(next)}`}`)
    const answer = await ask('/ops/sign-in', { form: hiddenFields(page.text) })
    const [, url = ''] = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(answer.text) ?? []
    return url.replaceAll('&amp;', '&')
  }

  const signIn = async (person: string, next?: string): Promise<Answer> => ask(await choose(await begin(next), person))
  return { ask, begin, choose, signIn, cookies: jars.console }
}

function cookieHeader(jar: ReadonlyMap<string, string>): string {
  return [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
}

function keep(jar: Map<string, string>, headers: Headers): void {
  for (const cookie of headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    if (value === '') jar.delete(name)
    else jar.set(name, value)
  }
}

/** Returns the hidden fields of the page's first form with this action. */
export function hiddenFields(text: string, action = '/ops/sign-in'): Record<string, string> {
  const part = text.split(`action="${action}"`)[1]?.split('</form>')[0] ?? ''
  const fields = [...part.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)]
  return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')]))
}
