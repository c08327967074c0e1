/**
 * The two classes of tokens. A customer's token names a grant that authz knows. An operator's token names the operator
 * whom the console signed in. Neither has the claims of the other class.
 */

import type { Operator } from '@financial-agents/bus/rpc'
import { operatorClientId } from '@financial-agents/contract/operator-audience'
import type { JWTPayload } from 'jose'
import type { BoundToken } from './access-tokens.ts'

export type CustomerToken = BoundToken & { grantId: string; clientId: string }

export type OperatorToken = BoundToken & { operator: Operator }

export function customerClaims(payload: JWTPayload): Omit<CustomerToken, keyof BoundToken> | undefined {
  const { client_id: clientId, grant_id: grantId } = payload
  return typeof clientId === 'string' && typeof grantId === 'string' ? { grantId, clientId } : undefined
}

export function operatorClaims(payload: JWTPayload): Omit<OperatorToken, keyof BoundToken> | undefined {
  const { sub, client_id: clientId, name, sid } = payload
  if (typeof sub !== 'string' || sub === '' || clientId !== operatorClientId || 'grant_id' in payload) return undefined
  const session = typeof sid === 'string' ? { session: sid } : {}
  return { operator: { id: sub, name: typeof name === 'string' ? name : null, ...session } }
}
