/**
 * An operator who calls the API directly, with a token as the console makes it, signed with the console's key of the
 * stack. Every byte of token, proof and request can be chosen, so that wrong ones can be sent.
 */

import { createPrivateKey, type KeyObject, randomUUID } from 'node:crypto'
import { operatorAudience, operatorClientId } from '@financial-agents/contract/operator-audience'
import type { ApiResponse, RequestOptions } from '@financial-agents/testkit/client'
import type { Stack } from '@financial-agents/testkit/stack'
import { calculateJwkThumbprint } from 'jose'
import { createSender, type Key, makeJws, type Sender } from './hand-client.ts'

type Members = Record<string, unknown>

const renewAfterMs = 120_000

/** The environment whose console key signs the token. */
export type ConsoleOf = Pick<Stack, 'baseUrl'> & {
  keys: { 'ops-console': Pick<Stack['keys']['ops-console'], 'CONSOLE_SIGNING_KEYS'> }
}

/** `undefined` members are left out. */
export type TokenChanges = { claims?: Members; header?: Members; signer?: KeyObject }

export type OperatorClient = Sender & {
  /** Sends a request. Token and nonce are renewed long before they expire. */
  request(method: string, path: string, options?: RequestOptions): Promise<ApiResponse>
}

/** Makes a token of this stack's console for the holder of the key. By default its operator has every permission. */
export async function operatorToken(
  stack: ConsoleOf,
  key: Key,
  { claims, header, signer }: TokenChanges = {},
): Promise<string> {
  const [kid, der = ''] = stack.keys['ops-console'].CONSOLE_SIGNING_KEYS.split(':')
  const own = createPrivateKey({ key: Buffer.from(der, 'base64'), format: 'der', type: 'pkcs8' })
  const issuer = operatorAudience(stack.baseUrl)
  const now = Math.floor(Date.now() / 1_000)
  const usual = {
    iss: issuer,
    aud: issuer,
    sub: 'jonas.brandt',
    name: 'Jonas Brandt',
    client_id: operatorClientId,
    scope: 'ops:read ops:suspend',
    iat: now,
    exp: now + 300,
    jti: randomUUID(),
    cnf: { jkt: await calculateJwkThumbprint(key.jwk) },
  }
  return makeJws({ alg: 'ES256', typ: 'at+jwt', kid, ...header }, { ...usual, ...claims }, signer ?? own)
}

/** Creates an operator's client with a token and a nonce. */
export async function createOperatorClient(stack: ConsoleOf, claims: Members = {}): Promise<OperatorClient> {
  const sender = createSender(stack)
  const renew = async () => {
    sender.token = await operatorToken(stack, sender.key, { claims })
    await sender.send('GET', '/v1/ops/grants', { token: null, proof: null })
  }
  await renew()
  let renewAtMs = Date.now() + renewAfterMs
  return Object.assign(sender, {
    request: async (method: string, path: string, { body, key, headers = {} }: RequestOptions = {}) => {
      if (Date.now() > renewAtMs) await renew().then(() => (renewAtMs = Date.now() + renewAfterMs))
      const keyed: [string, string][] = key === undefined ? [] : [['Idempotency-Key', key]]
      return sender.send(method, path, { body, headers: [...Object.entries(headers), ...keyed] })
    },
  })
}
