/**
 * Another `fetch` for Node, whose own one ignores `HTTPS_PROXY`. Requests go through a tunnel (CONNECT), so the proxy sees the host
 * and no content. The certificate is that of the API.
 */

import { request as connectTo, type IncomingMessage } from 'node:http'
import { Agent, request as connectSecurelyTo, type RequestOptions, request as sendOver } from 'node:https'
import type { Socket } from 'node:net'
import { type Duplex, Readable } from 'node:stream'
import { connect } from 'node:tls'
import { ClientError } from './client-error.ts'
import type { Fetch } from './http.ts'

type Env = Readonly<Record<string, string | undefined>>

/**
 * Creates a `fetch` that obeys `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY` (also in small letters). Requests to this machine, and
 * those without encryption, never go through a proxy. It follows no redirect.
 *
 * @throws ClientError `invalid_use` if the proxy is not one of HTTP. The message does not repeat its credentials
 */
export function proxyFetch(env: Env = process.env): Fetch {
  const named = (name: string) => env[name.toLowerCase()] || env[name]
  const proxy = named('HTTPS_PROXY') ?? named('ALL_PROXY')
  if (proxy === undefined) return (url, init) => fetch(url, init)
  const agent = new Tunnel(proxyAt(proxy))
  const exempt = (named('NO_PROXY') ?? '').split(/[\s,]+/).filter(Boolean)
  return (url, init) => {
    const to = new URL(url)
    return to.protocol === 'https:' && !isExempt(to, exempt) ? send(to, init, agent) : fetch(url, init)
  }
}

function proxyAt(text: string): URL {
  const written = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`
  const proxy = URL.canParse(written) ? new URL(written) : undefined
  if (proxy && /^https?:$/.test(proxy.protocol)) return proxy
  throw new ClientError('invalid_use', 'HTTPS_PROXY is no proxy of HTTP: give http://host:port, for example.')
}

/** True for this machine, and for what `NO_PROXY` lists: `*`, a host with its subdomains, either with a port. */
function isExempt({ hostname, port }: URL, list: readonly string[]): boolean {
  if (/^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)) return true
  return list.some((entry) => {
    const [, host = '', itsPort] = /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? []
    const isHost = hostname === host || hostname === `[${host}]` || hostname.endsWith(`.${host}`)
    return entry === '*' || (isHost && (itsPort === undefined || itsPort === (port || '443')))
  })
}

/** Opens a tunnel for each request. */
class Tunnel extends Agent {
  readonly #proxy: URL

  constructor(proxy: URL) {
    super({ keepAlive: false })
    this.#proxy = proxy
  }

  override createConnection(
    options: RequestOptions,
    opened?: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    const { protocol, hostname, port, username, password } = this.#proxy
    const authority = `${options.host}:${options.port ?? 443}`
    const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString(
      'base64',
    )
    const asked = (protocol === 'https:' ? connectSecurelyTo : connectTo)({
      method: 'CONNECT',
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: port || (protocol === 'https:' ? 443 : 80),
      path: authority,
      headers: { host: authority, ...(username && { 'proxy-authorization': `Basic ${credentials}` }) },
      agent: false,
      ...(options.signal && { signal: options.signal }),
    })
    const fail = (error: Error) => opened?.(error, undefined as unknown as Duplex)
    asked.once('error', fail)
    asked.once('connect', (answer: IncomingMessage, socket: Socket) => {
      const { statusCode } = answer
      if (statusCode === 200) {
        opened?.(null, connect({ ...options, socket, servername: options.servername || options.host } as object))
        return
      }
      socket.destroy()
      // The code says that the request was not sent.
      fail(Object.assign(new Error(`the proxy answered ${statusCode}`), { code: 'ECONNREFUSED' }))
    })
    asked.end()
  }
}

async function send(to: URL, init: RequestInit, agent: Agent): Promise<Response> {
  const { signal, ...rest } = init
  // The platform's own class reads every form of headers and bodies.
  const asked = new Request(to, rest)
  const body = Buffer.from(await asked.arrayBuffer())
  const headers = Object.fromEntries(asked.headers)
  return new Promise((resolve, reject) => {
    const request = sendOver(to, { method: asked.method, headers, agent, ...(signal && { signal }) })
    request.once('error', reject)
    request.once('response', (answer) => resolve(responseOf(answer)))
    request.end(body)
  })
}

function responseOf(answer: IncomingMessage): Response {
  const { statusCode: status = 500, headersDistinct } = answer
  const pairs = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  )
  const hasBody = status !== 204 && status !== 205 && status !== 304
  if (!hasBody) answer.resume()
  return new Response(hasBody ? (Readable.toWeb(answer) as ReadableStream) : null, { status, headers: pairs })
}
