/**
 * Replaces the credentials by an access token of the person, if the credentials are a refresh token.
 *
 * Invariant: the token is there before the one request is written. Without the token nothing is sent. The result is
 * `unsent` if the issuer cannot be reached, and the answer to refused credentials if the issuer refuses them.
 */

import { createPersonTokens } from '@financial-agents/provider-openid/person-tokens'
import type { OpenidOptions } from '@financial-agents/provider-openid/variables'
import type { Exchange, ExchangeResult } from './exchange.ts'

const refused: ExchangeResult = {
  type: 'answered',
  status: 401,
  body: JSON.stringify({ error: { code: 'credentials_refused' } }),
}

/** Returns the exchange whose requests carry an access token of the person. */
export function withPersonTokens(exchange: Exchange, openid: OpenidOptions): Exchange {
  const tokens = createPersonTokens(openid)
  return {
    async send(request) {
      const credentials = /^Bearer (.*)$/.exec(request.headers['authorization'] ?? '')?.[1]
      if (credentials === undefined) return exchange.send(request)
      const startedAt = performance.now()
      const found = await tokens.get(credentials, request.timeoutMs)
      if (found.type === 'refused') return refused
      if (found.type === 'unavailable') return { type: 'unsent', cause: 'NO_TOKEN_OF_PERSON' }
      const timeoutMs = request.timeoutMs - (performance.now() - startedAt)
      if (timeoutMs <= 0) return { type: 'unsent', cause: 'NO_TOKEN_OF_PERSON_IN_TIME' }
      const headers = { ...request.headers, authorization: `Bearer ${found.token}` }
      const result = await exchange.send({ ...request, headers, timeoutMs })
      if (result.type === 'answered' && result.status === 401) tokens.forget(credentials)
      return result
    },
    async close() {
      await Promise.all([exchange.close(), tokens.close()])
    },
  }
}
