/**
 * The HTTP server: the library's endpoints, and the page to choose a person. Development only.
 *
 * Invariant: every sign-in asks for a person again. A developer may try two people in one browser, and the library
 * would log the first out by a page with a script. Requests to the library therefore carry no session of an earlier
 * sign-in.
 */

import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { errors, type Provider } from 'oidc-provider'
import { errorPage, signInPage } from './pages.ts'
import { findPerson } from './people.ts'
import { createIdentityProvider, type Registration, sessionCookie, signInPath } from './provider.ts'

export function createServer(issuer: string, registration: Registration): FastifyInstance {
  const provider = createIdentityProvider(issuer, registration)
  const handle = provider.callback()
  const app = Fastify({ logger: false, forceCloseConnections: true })
  // The library reads request bodies itself.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  const { host, protocol } = new URL(issuer)
  app.addHook('onRequest', async ({ raw: { headers } }) => {
    headers.host = host
    headers['x-forwarded-host'] = host
    headers['x-forwarded-proto'] = protocol.slice(0, -1)
    headers.cookie = withoutSession(headers.cookie ?? '')
  })
  app.get('/health', async () => ({ status: 'ok' }))
  void app.register(async (pages) => addSignIn(pages, provider))
  app.all('/*', (request, reply) => {
    reply.hijack()
    void handle(request.raw, reply.raw)
  })
  return app
}

function withoutSession(cookies: string): string {
  return cookies
    .split(/; */)
    .filter((cookie) => !cookie.startsWith(sessionCookie))
    .join('; ')
}

function addSignIn(app: FastifyInstance, provider: Provider): void {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, text, done) =>
    done(null, new URLSearchParams(String(text))),
  )
  app.get(`${signInPath}/:uid`, async (request, reply) => {
    const interaction = await provider.interactionDetails(request.raw, reply.raw)
    const { headers, text } = signInPage(String(interaction.params['redirect_uri']))
    return reply.headers(headers).send(text)
  })
  app.post(`${signInPath}/:uid`, (request, reply) => decide(provider, request, reply))
  app.setErrorHandler((error, _request, reply) => {
    const status = error instanceof errors.SessionNotFound ? 400 : 500
    const code = error instanceof errors.SessionNotFound ? 'interaction_not_found' : 'server_error'
    return reply.code(status).headers(errorPage.headers).send(errorPage.text(code))
  })
}

/**
 * Ends an interaction. The library recognises the browser by the interaction's cookie, and gets a person only if the
 * form names one of the list.
 */
async function decide(provider: Provider, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const chosen = request.body instanceof URLSearchParams ? request.body.get('person') : null
  const person = findPerson(chosen)
  const result = person
    ? { login: { accountId: person.subject, remember: false } }
    : { error: 'access_denied', error_description: 'nobody was chosen' }
  const next = await provider.interactionResult(request.raw, reply.raw, result, { mergeWithLastSubmission: false })
  return reply.header('cache-control', 'no-store').redirect(next, 303)
}
