/**
 * Receives the authorization response of a native application: listens on a port of its own on loopback, for one
 * redirect (RFC 8252).
 */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A listener on this machine for one redirect of a browser. */
export type LoopbackListener = {
  /** The redirect URI: the registered one with the port of this listener. */
  redirectUri: string
  /** The address that the browser was redirected to. */
  answer: Promise<URL>
  close(): Promise<void>
}

/** Listens on 127.0.0.1 at the path of the registered redirect URI, and shows `page` to the redirected browser. */
export async function listenOnLoopback(registered: string, page: string): Promise<LoopbackListener> {
  const came = Promise.withResolvers<URL>()
  const redirect = new URL(registered)
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', redirect)
    if (url.pathname !== redirect.pathname) {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'referrer-policy': 'no-referrer' }).end(page)
    came.resolve(url)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  redirect.port = String((server.address() as AddressInfo).port)
  return {
    redirectUri: redirect.href,
    answer: came.promise,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
