/** The profile of an application on this machine: the browser comes back to a listener on loopback (RFC 8252). Node only. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as oauth from 'oauth4webapi'
import { tellOwner } from '../owner.ts'
import { abortable } from '../sleep.ts'
import { beginCode, type CodeScope, redeemCode } from './code.ts'
import type { Auth } from './profile.ts'

const donePage =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Done</title><meta name="color-scheme" content="light dark"><main><h1>Done</h1><p>Close this page and go back to the application.</p></main></html>'

/** Options of a native application. */
export type NativeOptions = {
  scopes: readonly CodeScope[]
  /** The registered loopback redirect, for example `http://127.0.0.1/callback`. The port is chosen at each sign-in. */
  redirectUri: string
  /** The page that the browser shows at the end: HTML. */
  page?: string
}

/** A native application. Its `onOwnerNeeded` opens the address in the owner's browser. */
export function native({ scopes, redirectUri, page = donePage }: NativeOptions): Auth {
  return {
    profile: 'native',
    authenticate: () => oauth.None(),
    obtain: async (context) => {
      const listener = await listen(redirectUri, page)
      try {
        const url = await beginCode(context, { scopes, redirectUri: listener.redirectUri })
        // A sign-in and its consent take ten minutes at most.
        const limit = AbortSignal.timeout(600_000)
        await tellOwner(context.onOwnerNeeded, { kind: 'sign_in', url, expiresAt: new Date(context.now() + 600_000) })
        const signal = context.signal ? AbortSignal.any([context.signal, limit]) : limit
        return await redeemCode(context, await abortable(listener.answer, signal), oauth.None())
      } finally {
        await listener.close()
      }
    },
  }
}

async function listen(registered: string, page: string) {
  const redirect = new URL(registered)
  let came: (url: URL) => void
  const answer = new Promise<URL>((resolve) => {
    came = resolve
  })
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', redirect)
    if (url.pathname !== redirect.pathname) {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'referrer-policy': 'no-referrer' }).end(page)
    came(url)
  })
  const host = redirect.hostname === '[::1]' ? '::1' : '127.0.0.1'
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, host, resolve)
  })
  redirect.port = String((server.address() as AddressInfo).port)
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { redirectUri: redirect.href, answer, close }
}
