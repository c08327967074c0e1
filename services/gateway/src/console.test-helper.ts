/** The operators' console as a gateway sees it, played by the test: its keys and tokens, its routes and its pages. */

import { generateKeyPairSync, randomUUID } from 'node:crypto'
import type { TunnelledRequest, TunnelledResponse } from '@financial-agents/bus/messages/http'
import { type RouteRequest, serveCall } from '@financial-agents/bus/rpc'
import type { TestNats } from '@financial-agents/bus/testing/nats'
import { operatorAudience } from '@financial-agents/contract/operator-audience'
import { operatorRoutes } from '@financial-agents/contract/routes/operator'
import type { ProofMaker } from '@financial-agents/dpop/make-proof'
import { exportJWK, SignJWT } from 'jose'
import type { Seen } from './areas.test-helper.ts'
import { baseUrl, log } from './authz.test-helper.ts'

export const audience = operatorAudience(baseUrl)

export type Console = Awaited<ReturnType<typeof startConsole>>

/** Tests may change the parts of the console. */
export async function startConsole(nats: TestNats) {
  const bus = await nats.connect('ops-console')
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'console-1', alg: 'ES256', use: 'sig' }]
  const state = {
    keyReads: 0,
    asked: undefined as Seen | undefined,
    tunnelled: undefined as TunnelledRequest | undefined,
    beforeAnswer: async () => {},
    http: async (_request: TunnelledRequest): Promise<TunnelledResponse> => ({ status: 200, headers: [], body: '' }),
  }
  serveCall(
    bus,
    'rpc.ops-console.keys',
    async () => {
      state.keyReads += 1
      return { keys }
    },
    { log },
  )
  serveCall(
    bus,
    'rpc.ops-console.http',
    (request) => {
      state.tunnelled = request
      return state.http(request)
    },
    { log },
  )
  for (const name of Object.keys(operatorRoutes))
    bus.respond(`rpc.ops-console.${name}`, 'ops-console', {
      handler: async (data, { principal, requestId, traceparent, timeoutMs }) => {
        const request = JSON.parse(data) as RouteRequest
        state.asked = { ...request, principal, requestId, traceparent, timeoutMs }
        await state.beforeAnswer()
        return JSON.stringify({ ok: true, data: { asked: name } })
      },
      maxInFlight: 100,
      busy: '',
      onError: (error) => log.error({ err: error }, 'the test could not answer'),
    })
  await bus.check()
  const token = (maker: ProofMaker, claims: Record<string, unknown> = {}, header: Record<string, unknown> = {}) => {
    const nowS = Math.floor(Date.now() / 1_000)
    return new SignJWT({
      iss: audience,
      aud: audience,
      sub: 'jonas.brandt',
      name: 'Jonas Brandt',
      client_id: 'ops-console',
      scope: 'ops:read ops:suspend',
      jti: randomUUID(),
      iat: nowS,
      exp: nowS + 300,
      cnf: { jkt: maker.jkt },
      ...claims,
    })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'console-1', ...header })
      .sign(privateKey)
  }
  return { bus, keys, state, token }
}
