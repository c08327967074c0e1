/**
 * The gateway as the console's client meets it. It challenges with nonces, checks proofs and tokens with the real
 * gateway's libraries, and passes the request on over the bus.
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Bus } from '@financial-agents/bus/connect'
import { call, type Operator } from '@financial-agents/bus/rpc'
import { Problem, type ProblemData, renderProblem } from '@financial-agents/contract/problem'
import type { operatorRoutes } from '@financial-agents/contract/routes/operator'
import { createBootId, createNonces } from '@financial-agents/dpop/nonce'
import { createProofVerifier } from '@financial-agents/dpop/proof'
import type { Clock } from '@financial-agents/runtime/clock'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { consoleUrl, createOperatorClient } from './operator-client.test-helper.ts'

type Named = { name: keyof typeof operatorRoutes; params: Record<string, string> }

export async function playGateway(bus: Bus, clock: Clock) {
  const nonces = createNonces({ key: Buffer.alloc(32, 1), bootId: createBootId(), nowMs: () => clock.nowMs() })
  const proofs = createProofVerifier({ nowMs: () => clock.nowMs(), nonces })
  const send = createOperatorClient(bus)
  const context = { requestId: 'stub-gateway', traceparent: '', timeoutMs: 60_000 }
  const seen: { token: string; status: number; requestId: unknown }[] = []

  const validate = async (request: IncomingMessage, url: URL): Promise<Operator | Problem> => {
    const accessToken = (request.headers.authorization ?? '').replace('DPoP ', '')
    const { keys } = await call(bus, 'rpc.ops-console.keys', null, context)
    const audience = `${consoleUrl}/v1/ops`
    const { payload } = await jwtVerify(accessToken, createLocalJWKSet({ keys }), {
      issuer: audience,
      audience,
      typ: 'at+jwt',
      algorithms: ['ES256'],
      currentDate: clock.now(),
    })
    const { jkt } = payload['cnf'] as { jkt: string }
    const proof = request.headers['dpop'] as string
    const validated = proofs.verify({
      proof,
      method: request.method ?? '',
      url: consoleUrl + url.pathname,
      accessToken,
      jkt,
    })
    if (!validated.ok) return new Problem(validated.error === 'use_dpop_nonce' ? 'use_dpop_nonce' : 'invalid_token')
    const session = payload['sid'] as string
    return { id: payload.sub ?? '', name: (payload['name'] as string | undefined) ?? null, session }
  }

  const answer = async (request: IncomingMessage, url: URL, body: string) => {
    const validated = await validate(request, url)
    if (validated instanceof Problem) return validated.data
    const { name, params } = route(url.pathname)
    const given = { params, query: Object.fromEntries(url.searchParams), ...(body ? { body: JSON.parse(body) } : {}) }
    const reply = await send(name, given, validated)
    return reply.ok ? { data: reply.data } : reply.problem
  }

  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '', 'http://gateway')
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const answered = await answer(request, url, body)
    const rendered = 'data' in answered ? { status: 200, body: answered.data } : problemOf(answered, url)
    const { authorization: token = '', 'x-request-id': requestId } = request.headers
    seen.push({ token, status: rendered.status, requestId })
    response.writeHead(rendered.status, {
      'content-type': 'application/json',
      'dpop-nonce': nonces.current(),
      ...(rendered.status === 401 ? { 'www-authenticate': 'DPoP error="use_dpop_nonce", algs="ES256"' } : {}),
    })
    response.end(JSON.stringify(rendered.body))
  }

  // A request that the bus does not answer ends without an answer.
  const server = createServer((request, response) => void respond(request, response).catch(() => response.destroy()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    stop: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  }
}

function route(path: string): Named {
  const [what, id, action] = path.slice('/v1/ops/'.length).split('/').map(decodeURIComponent)
  if (what === 'grants')
    return action === 'suspend'
      ? { name: 'suspendOperatorGrant', params: { grant_id: id ?? '' } }
      : { name: 'listOperatorGrants', params: {} }
  return id === undefined
    ? { name: 'listOperatorOperations', params: {} }
    : { name: 'getOperatorOperation', params: { operation_id: id } }
}

function problemOf(data: ProblemData, url: URL) {
  const body = renderProblem(data, {
    baseUrl: consoleUrl,
    instance: url.pathname,
    requestId: 'stub-gateway',
    refreshOnboarding: false,
  })
  return { status: body.status, body }
}
