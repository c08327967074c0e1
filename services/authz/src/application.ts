/**
 * The HTTP application. It has no socket: requests arrive over the bus and are injected. Only published paths are mounted;
 * everything else is a problem, like everywhere on this origin.
 *
 * Invariant: addresses, `htu` and the issuer come from the configured origin, whatever host a request names.
 */

import { Problem, renderProblem } from '@financial-agents/contract/problem'
import { currentContext } from '@financial-agents/runtime/context'
import type { Log } from '@financial-agents/runtime/log'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, type HTTPMethods } from 'fastify'
import type { Provider } from 'oidc-provider'
import { protectedResourceMetadata } from './provider/metadata.ts'
import { paths } from './provider/paths.ts'

export type ApplicationParts = { provider: Provider; baseUrl: string; log: Log }

const readable: HTTPMethods[] = ['GET', 'HEAD', 'OPTIONS']

const mounted: Readonly<Record<string, HTTPMethods[]>> = {
  [paths.openidConfiguration]: readable,
  [paths.authorizationServer]: readable,
  [paths.jwks]: readable,
  [paths.token]: ['POST', 'OPTIONS'],
}

const allowed: Readonly<Record<string, HTTPMethods[]>> = { ...mounted, [paths.protectedResource]: ['GET', 'HEAD'] }

export async function createApplication({ provider, baseUrl, log }: ApplicationParts): Promise<FastifyInstance> {
  const app = Fastify({
    logger: false,
    exposeHeadRoutes: false,
    frameworkErrors: (_error, request, reply) => {
      void sendProblem(baseUrl, request, reply, new Problem('malformed_request'))
    },
  })
  // The library reads the body itself.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))

  const { host, protocol } = new URL(baseUrl)
  const handle = provider.callback()
  for (const [url, method] of Object.entries(mounted)) {
    app.route({
      url,
      method,
      handler: (request, reply) => {
        reply.hijack()
        const { headers } = request.raw
        headers.host = host
        headers['x-forwarded-host'] = host
        headers['x-forwarded-proto'] = protocol.slice(0, -1)
        // A client that would rather read HTML gets the same JSON errors.
        headers.accept = 'application/json'
        void handle(request.raw, reply.raw)
      },
    })
  }

  app.route({
    url: paths.protectedResource,
    method: ['GET', 'HEAD'],
    handler: (_request, reply) =>
      reply
        .header('access-control-allow-origin', '*')
        .type('application/json')
        .send(protectedResourceMetadata(baseUrl)),
  })

  addRefusals(app, baseUrl, log)
  await app.ready()
  return app
}

/** What no path answers. */
function addRefusals(app: FastifyInstance, baseUrl: string, log: Log): void {
  // Before Fastify looks at anything else: it has its own answers to methods that it knows only in part.
  app.addHook('onRequest', async (request, reply) => {
    const methods = allowed[request.url.replace(/\?.*$/s, '')]
    if (!methods) return sendProblem(baseUrl, request, reply, new Problem('route_not_found'))
    if (methods.includes(request.method) && !isBareOptions(request)) return undefined
    return sendProblem(baseUrl, request, reply.header('allow', methods.join(', ')), new Problem('method_not_allowed'))
  })
  app.setErrorHandler((error, request, reply) => {
    const { statusCode = 500 } = error as { statusCode?: number }
    if (statusCode < 500) return sendProblem(baseUrl, request, reply, new Problem('malformed_request'))
    log.error({ err: error }, 'a request failed')
    return sendProblem(baseUrl, request, reply, new Problem('internal_error'))
  })
}

function sendProblem(baseUrl: string, request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply {
  const body = renderProblem(problem.data, {
    baseUrl,
    instance: request.url.replace(/\?.*$/s, ''),
    requestId: currentContext()?.requestId ?? 'unknown-request',
    refreshOnboarding: false,
  })
  // As bytes: to a text Fastify would add a charset, a parameter that the media type does not have (RFC 9457).
  reply.code(body.status).header('cache-control', 'no-store').type('application/problem+json')
  return reply.send(Buffer.from(JSON.stringify(body)))
}

/** The library takes OPTIONS for preflights alone, and would answer this with a bare 404. */
function isBareOptions({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] === undefined
}
