/**
 * The order of checks; the first failing check answers. A route gets the checks that match the columns of its row, and
 * no others. No part of the body is read before the grant, or the operator's token, allows the request.
 */

import type { Route } from '@financial-agents/contract/route'
import { checkAddressLimit } from './checks/check-address-limit.ts'
import { checkBinding } from './checks/check-binding.ts'
import { checkBody } from './checks/check-body.ts'
import { checkConfirmationIntentId } from './checks/check-confirmation-intent-id.ts'
import { checkExpectation } from './checks/check-expectation.ts'
import { checkGrant } from './checks/check-grant.ts'
import { checkGrantLimit } from './checks/check-grant-limit.ts'
import { checkIdempotencyKey } from './checks/check-idempotency-key.ts'
import { checkMediaType } from './checks/check-media-type.ts'
import { checkNoBody } from './checks/check-no-body.ts'
import { checkOperatorLimit } from './checks/check-operator-limit.ts'
import { checkOperatorScope } from './checks/check-operator-scope.ts'
import { checkOperatorToken } from './checks/check-operator-token.ts'
import { checkProof } from './checks/check-proof.ts'
import { checkQuery } from './checks/check-query.ts'
import { checkReplay } from './checks/check-replay.ts'
import { checkScheme } from './checks/check-scheme.ts'
import { checkScope } from './checks/check-scope.ts'
import { checkStrings } from './checks/check-strings.ts'
import { checkToken } from './checks/check-token.ts'
import { checkTokenClass } from './checks/check-token-class.ts'
import { hashRequest } from './checks/hash-request.ts'
import type { Dependencies } from './dependencies.ts'
import type { Exchange } from './exchange.ts'

/** Throws a problem, or stores results in the exchange for later checks. */
export type Check = (exchange: Exchange, dependencies: Dependencies) => void | Promise<void>

const every = () => true
const open = (row: Route) => row.scope === null
const protects = (row: Route) => row.scope !== null
const customers = (row: Route) => protects(row) && row.audience === 'customer'
const operators = (row: Route) => protects(row) && row.audience === 'operator'
const binds = (row: Route) => row.binding
const takesBody = (row: Route) => row.body !== null
const bodyless = (row: Route) => row.body === null
const keyed = (row: Route) => row.keyed
const confirmed = (row: Route) => row.confirmation !== null
const compared = (row: Route) => row.keyed || row.confirmation !== null

// biome-ignore format: a table
const order: readonly (readonly [check: Check, applies: (row: Route) => boolean])[] = [
  [checkExpectation,    every],
  [checkAddressLimit,   open],
  [checkScheme,         protects],
  [checkToken,          customers],
  [checkOperatorToken,  operators],
  [checkProof,          protects],
  [checkReplay,         protects],
  [checkTokenClass,     protects],
  [checkGrant,          customers],
  [checkGrantLimit,     customers],
  [checkOperatorLimit,  operators],
  [checkScope,          customers],
  [checkOperatorScope,  operators],
  [checkBinding,        binds],
  [checkMediaType,      takesBody],
  [checkBody,           takesBody],
  [checkNoBody,         bodyless],
  [checkIdempotencyKey, keyed],
  [checkConfirmationIntentId, confirmed],
  // Repeated, because a body may arrive slowly and authority may end meanwhile.
  [checkGrant,          customers],
  [checkScope,          customers],
  [checkBinding,        binds],
  [checkQuery,          every],
  [checkStrings,        every],
  [hashRequest,         compared],
]

export function checksOf(row: Route): readonly Check[] {
  return order.filter(([, applies]) => applies(row)).map(([check]) => check)
}
