/**
 * The HTTP server. Fastify listens, routes and closes. Every request is taken over as soon as it is routed (`hijack` in
 * onRequest), so that Fastify parses and answers nothing before, between or after the checks.
 */

import { type IncomingMessage, METHODS, type ServerResponse } from 'node:http'
import { documentationRoot } from '@financial-agents/contract/documentation-paths'
import { routes } from '@financial-agents/contract/routes'
import { logoPath } from '@financial-agents/pages/branding'
import type { Clock } from '@financial-agents/runtime/clock'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import type { Carry } from './carry.ts'
import { checkAddressLimit } from './checks/check-address-limit.ts'
import { checksOf } from './checks.ts'
import type { ClientAddress } from './client-address.ts'
import { closeStalled, watchResponses } from './connections.ts'
import type { IsConsoleHost } from './console-host.ts'
import type { Documentation } from './documentation.ts'
import { type Exchange, openExchange } from './exchange.ts'
import type { Forward } from './forward.ts'
import { openapiVariantPath } from './openapi-variant.ts'
import { answerParseError, refuseTunnel } from './parse-errors.ts'
import { createPathTable, withHead } from './path-table.ts'
import { prefersHtml } from './prefers-html.ts'
import type { Serving } from './serving.ts'
import type { SitePage } from './site.ts'
import type { Stored } from './stored.ts'
import { isSameOriginOnly, type TunnelledService, tunnelledPaths } from './tunnelled-paths.ts'
import { webhookKeysPath } from './webhook-keys.ts'

type Serve = (request: FastifyRequest, response: ServerResponse) => void

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Serves a request that was routed to this path. */
    serve?: Serve
    ofConsole?: true
  }
}

const keepAliveMs = 65_000
const maxHeadBytes = 16_384
const pagePaths = [
  '/problems',
  '/problems/{code}',
  '/failure-codes',
  '/failure-codes/{code}',
  openapiVariantPath,
  logoPath,
]

/** Two readings of one clock differ by less. */
const movedFromMs = 1_000

export type ServerOptions = {
  clock: Clock
  serving: Serving
  forwards: Readonly<Record<string, Forward>>
  carries: Readonly<Record<TunnelledService, Carry>>
  /** null if the console has no host of its own. */
  isConsoleHost: IsConsoleHost | null
  webhookKeys: Forward
  /** The gateway's own pages, and what it has stored, by path. */
  pages: ReadonlyMap<string, SitePage | Stored>
  documentation: Documentation
  baseUrl: string
  clientAddress: ClientAddress
  /** The time in which a request must arrive. Its head must arrive in half of it. */
  requestTimeoutMs: number
  /** The time in which a client must read some of the data that waits to be sent. */
  stallMs: number
}

export function createServer(options: ServerOptions): FastifyInstance {
  const { serving, clientAddress, requestTimeoutMs, stallMs } = options
  const app = Fastify({
    logger: false,
    keepAliveTimeout: keepAliveMs,
    requestTimeout: requestTimeoutMs,
    http: {
      maxHeaderSize: maxHeadBytes,
      headersTimeout: requestTimeoutMs / 2,
      connectionsCheckingInterval: Math.min(5_000, requestTimeoutMs / 4),
      requireHostHeader: false,
    },
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: (error, socket) => answerParseError(error, socket, options.baseUrl),
    routerOptions: { maxParamLength: maxHeadBytes, querystringParser: () => ({}) },
    frameworkErrors: (_error, request, reply) => {
      reply.hijack()
      const exchange = openExchange(request, reply.raw, { name: 'malformed', row: null }, clientAddress)
      serving.malformed(exchange, 'The path holds a percent-encoding that cannot be decoded.')
    },
  })
  watchResponses(app.server)
  closeStalled(app.server, stallMs)
  app.server.on('connect', (request, socket) => refuseTunnel(request, socket, options.baseUrl))
  // The check that reads the body sends `100 Continue`, not Node.
  app.server.on('checkContinue', (request, response) => app.server.emit('request', request, response))
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  takeOver(app, options)
  addRoutes(app, options)
  addTunnelled(app, options)
  addLiterals(app, options)
  addWebhookKeys(app, options)
  addFrontPage(app, options)
  addPages(app, options)
  addDocumentation(app, options)
  return app
}

/** The only hook. It never calls `done`, so Fastify does not continue. */
function takeOver(app: FastifyInstance, { clock, serving, clientAddress, isConsoleHost }: ServerOptions): void {
  const table = createPathTable([...Object.values(routes), ...pagePaths.map((path) => ({ method: 'GET', path }))])
  app.addHook('onRequest', (request, reply, _done) => {
    reply.hijack()
    // Clients learn the time from `Date`. In development the clock may be moved away from the machine's.
    if (Math.abs(clock.nowMs() - Date.now()) > movedFromMs) reply.raw.setHeader('date', clock.now().toUTCString())
    if (!hasOneHost(request.raw)) {
      const exchange = openExchange(request, reply.raw, { name: 'malformed', row: null }, clientAddress)
      return serving.malformed(exchange, 'The request has not exactly one Host header.')
    }
    const { serve, ofConsole = false } = request.routeOptions.config
    const misdirected = isConsoleHost !== null && isConsoleHost(request.raw) !== ofConsole
    if (serve && !misdirected) return serve(request, reply.raw)
    const exchange = openExchange(request, reply.raw, { name: 'unrouted', row: null }, clientAddress)
    serving.unrouted(exchange, misdirected ? [] : table.methodsOf(exchange.path))
  })
}

function addRoutes(app: FastifyInstance, { serving, forwards, clientAddress }: ServerOptions): void {
  for (const [name, row] of Object.entries(routes)) {
    const checks = checksOf(row)
    const forward = forwards[name]
    if (!forward) throw new Error(`nothing answers the route ${name}`)
    const route = { name, row, sameOriginOnly: isSameOriginOnly(row.path) }
    const hasParams = row.path.includes('{')
    const serve: Serve = (request, response) => {
      const exchange = openExchange(request, response, route, clientAddress)
      // Fastify's router matches `/v1/operations/` as an operation with an empty id.
      if (hasParams && Object.values(exchange.params).includes(''))
        return serving.unrouted({ ...exchange, row: null }, [])
      void serving.route(exchange, checks, forward)
    }
    app.route({ method: withHead(row.method), url: toFastifyPath(row.path), config: { serve }, handler: unreached })
  }
}

/** A literal path beside a template handles every method, so that no method matches the template instead. */
function addLiterals(app: FastifyInstance, { serving, clientAddress }: ServerOptions): void {
  const paths = Object.values(routes).map(({ path }) => path)
  const beside = createPathTable(Object.values(routes).filter(({ path }) => path.includes('{')))
  for (const path of new Set(paths.filter((one) => !one.includes('{') && beside.methodsOf(one).length > 0))) {
    const methods = Object.values(routes).flatMap((row) => (row.path === path ? withHead(row.method) : []))
    const serve: Serve = (request, response) =>
      serving.unrouted(openExchange(request, response, { name: 'unrouted', row: null }, clientAddress), methods)
    const others = app.supportedMethods.filter((method) => !methods.includes(method))
    app.route({ method: others, url: path, config: { serve }, handler: unreached })
  }
}

function addTunnelled(app: FastifyInstance, { serving, carries, clientAddress }: ServerOptions): void {
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method)
  const add = (service: TunnelledService, url: string) => {
    const route = { name: `${service} ${url}`, row: null }
    const serve: Serve = (request, response) => {
      void serving.tunnelled(openExchange(request, response, route, clientAddress), carries[service])
    }
    const config = service === 'ops-console' ? { serve, ofConsole: true as const } : { serve }
    app.route({ method: app.supportedMethods, url, config, handler: unreached })
  }
  for (const url of tunnelledPaths.authz) add('authz', url)
  for (const url of tunnelledPaths['ops-console']) add('ops-console', url)
}

/**
 * This literal path takes precedence over the carried paths below `/.well-known/`. It handles every method, so that
 * none is carried.
 */
function addWebhookKeys(app: FastifyInstance, { serving, webhookKeys, clientAddress }: ServerOptions): void {
  const serve: Serve = (request, response) => {
    const exchange = openExchange(request, response, { name: 'webhook keys', row: null }, clientAddress)
    if (isRead(exchange)) void serving.route(exchange, [checkAddressLimit], webhookKeys)
    else serving.unrouted(exchange, withHead('GET'))
  }
  app.route({ method: app.supportedMethods, url: webhookKeysPath, config: { serve }, handler: unreached })
}

/** Serves the front page at `/` to browsers. A program gets the same problem there for every method. */
function addFrontPage(app: FastifyInstance, { serving, pages, clientAddress }: ServerOptions): void {
  const serve: Serve = (request, response) => {
    const exchange = openExchange(request, response, { name: 'page', row: null }, clientAddress)
    void serving.page(exchange, prefersHtml(request.headers.accept) ? pages.get('/') : undefined)
  }
  app.route({ method: withHead('GET'), url: '/', config: { serve }, handler: unreached })
}

function addPages(app: FastifyInstance, { serving, pages, clientAddress }: ServerOptions): void {
  for (const path of pagePaths) {
    const route = { name: 'page', row: null }
    const serve: Serve = (request, response) => {
      const exchange = openExchange(request, response, route, clientAddress)
      void serving.page(exchange, pages.get(exchange.path))
    }
    app.route({ method: withHead('GET'), url: toFastifyPath(path), config: { serve }, handler: unreached })
  }
}

/** Handles every method, because the table of other methods knows no folders. */
function addDocumentation(app: FastifyInstance, { serving, documentation, clientAddress }: ServerOptions): void {
  const serve: Serve = (request, response) => {
    const exchange = openExchange(request, response, { name: 'documentation', row: null }, clientAddress)
    if (isRead(exchange)) void serving.documentation(exchange, documentation)
    else serving.unrouted(exchange, withHead('GET'))
  }
  for (const url of [documentationRoot, `${documentationRoot}/*`])
    app.route({ method: app.supportedMethods, url, config: { serve }, handler: unreached })
}

function isRead({ method }: Exchange): boolean {
  return withHead('GET').includes(method)
}

/** RFC 9112 §3.2. Node checks this too, but would answer without a body. */
function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0')
}

function toFastifyPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

function unreached(): never {
  throw new Error('every request is taken over before its handler')
}
