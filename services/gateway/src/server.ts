/**
 * The HTTP server: Fastify for listening, routing and closing. Every request is taken over as soon as it is routed
 * (`hijack` in onRequest), so that nothing is parsed or answered before, between or after the checks.
 */

import type { ServerResponse } from 'node:http'
import { routes } from '@financial-agents/contract/routes'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { type Carry, carriedPaths } from './carry.ts'
import { checksOf } from './checks.ts'
import { openExchange } from './exchange.ts'
import type { Forward } from './forward.ts'
import { answerParseError } from './parse-errors.ts'
import { createPathTable } from './path-table.ts'
import type { Serving } from './serve.ts'

type Serve = (request: FastifyRequest, response: ServerResponse) => void

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Serves a request that was routed here. */
    serve?: Serve
  }
}

const keepAliveMs = 65_000
const requestTimeoutMs = 30_000
const headersTimeoutMs = 15_000
const maxHeadBytes = 16_384
const maxParamChars = 512
const pagePaths = ['/problems', '/problems/{code}', '/failure-codes', '/failure-codes/{code}']

export type ServerOptions = {
  serving: Serving
  forwards: Readonly<Record<string, Forward>>
  carry: Carry
  pages: ReadonlyMap<string, string>
  baseUrl: string
  trustedProxies: readonly string[]
}

export function createServer(options: ServerOptions): FastifyInstance {
  const { serving } = options
  const app = Fastify({
    logger: false,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    keepAliveTimeout: keepAliveMs,
    requestTimeout: requestTimeoutMs,
    http: { maxHeaderSize: maxHeadBytes, headersTimeout: headersTimeoutMs, connectionsCheckingInterval: 5_000 },
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: (error, socket) => answerParseError(error, socket, options.baseUrl),
    routerOptions: { maxParamLength: maxParamChars, querystringParser: () => ({}) },
    frameworkErrors: (_error, request, reply) => {
      reply.hijack()
      serving.malformed(openExchange(request, reply.raw, { name: 'malformed', row: null }))
    },
  })
  // A body is asked for by the check that reads it, not by Node.
  app.server.on('checkContinue', (request, response) => app.server.emit('request', request, response))
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  takeOver(app, serving)
  addRoutes(app, options)
  addCarried(app, options)
  addPages(app, options)
  return app
}

/** The one hook: it never lets Fastify go on. */
function takeOver(app: FastifyInstance, serving: Serving): void {
  const table = createPathTable([...Object.values(routes), ...pagePaths.map((path) => ({ method: 'GET', path }))])
  app.addHook('onRequest', (request, reply, _done) => {
    reply.hijack()
    const { serve } = request.routeOptions.config
    if (serve) return serve(request, reply.raw)
    const exchange = openExchange(request, reply.raw, { name: 'unrouted', row: null })
    serving.unrouted(exchange, table.methodsOf(exchange.path))
  })
}

function addRoutes(app: FastifyInstance, { serving, forwards }: ServerOptions): void {
  for (const [name, row] of Object.entries(routes)) {
    const checks = checksOf(row)
    const forward = forwards[name]
    if (!forward) throw new Error(`nothing answers the route ${name}`)
    const route = { name, row }
    const serve: Serve = (request, response) => {
      void serving.route(openExchange(request, response, route), checks, forward)
    }
    app.route({ method: row.method, url: toFastifyPath(row.path), config: { serve }, handler: unreached })
  }
}

function addCarried(app: FastifyInstance, { serving, carry }: ServerOptions): void {
  for (const url of carriedPaths) {
    const route = { name: `authz ${url}`, row: null }
    const serve: Serve = (request, response) => {
      void serving.carried(openExchange(request, response, route), carry)
    }
    app.route({ method: app.supportedMethods, url, config: { serve }, handler: unreached })
  }
}

function addPages(app: FastifyInstance, { serving, pages }: ServerOptions): void {
  for (const path of pagePaths) {
    const route = { name: 'page', row: null }
    const serve: Serve = (request, response) => {
      const exchange = openExchange(request, response, route)
      void serving.page(exchange, pages.get(exchange.path))
    }
    app.route({ method: 'GET', url: toFastifyPath(path), config: { serve }, handler: unreached })
  }
}

function toFastifyPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

function unreached(): never {
  throw new Error('every request is taken over before its handler')
}
