/**
 * The console as a client of the API. Pages read the four routes through the gateway with the operator's own token, so
 * the console can do no more than the operator may.
 *
 * Invariant: proofs name the public origin, whatever address the gateway is reached at. A request is repeated only to
 * carry the nonce from its refusal.
 */

import { createProofMaker } from '@financial-agents/dpop/make-proof'
import type { Clock } from '@financial-agents/runtime/clock'
import { currentContext } from '@financial-agents/runtime/context'
import { Unavailable } from '@financial-agents/runtime/unavailable'
import type { Session } from '../store/sessions.ts'
import type { OperatorTokens } from '../token/operator-tokens.ts'

export type GatewayRequest = {
  method: 'GET' | 'POST'
  path: string
  query?: Readonly<Record<string, string>>
  body?: unknown
}
export type GatewayAnswer = { status: number; body: unknown }

/** @throws Unavailable if no answer arrives */
export type AskGateway = (session: Session, request: GatewayRequest) => Promise<GatewayAnswer>

export function createGatewayClient(options: {
  baseUrl: string
  gatewayUrl: string
  tokens: OperatorTokens
  clock: Clock
  timeoutMs: number
}): AskGateway {
  const { baseUrl, gatewayUrl, tokens, clock, timeoutMs } = options
  let nonce: string | undefined

  const send = async (session: Session, { method, path, query, body }: GatewayRequest): Promise<Response> => {
    const accessToken = await tokens(session)
    const proofs = createProofMaker(session.proofKey)
    const proof = { method, url: baseUrl + path, accessToken, iatMs: clock.nowMs() }
    const requestId = currentContext()?.requestId
    const search = query && Object.keys(query).length > 0 ? `?${new URLSearchParams(query).toString()}` : ''
    const response = await fetch(gatewayUrl + path + search, {
      method,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        authorization: `DPoP ${accessToken}`,
        dpop: proofs.makeProof(nonce === undefined ? proof : { ...proof, nonce }),
        accept: 'application/json, application/problem+json',
        // The page's own request id links its audit entries with those of the calls behind it.
        ...(requestId === undefined ? {} : { 'x-request-id': requestId }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    nonce = response.headers.get('dpop-nonce') ?? nonce
    return response
  }

  return async (session, request) => {
    try {
      let response = await send(session, request)
      if (wantsNonce(response)) {
        await response.body?.cancel()
        response = await send(session, request)
      }
      return { status: response.status, body: await response.json() }
    } catch (cause) {
      throw new Unavailable('the gateway did not answer', { cause })
    }
  }
}

function wantsNonce({ status, headers }: Response): boolean {
  return status === 401 && (headers.get('www-authenticate') ?? '').includes('error="use_dpop_nonce"')
}
