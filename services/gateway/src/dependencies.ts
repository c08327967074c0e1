/** The dependencies that the checks use. Each process has one of each, and every check gets them by name. */

import type { KeyObject } from 'node:crypto'
import type { AccessTokens } from './access-tokens.ts'
import type { Grants } from './grants.ts'
import type { Proofs } from './proofs.ts'
import type { RequestLimits } from './request-limits.ts'
import type { CustomerToken, OperatorToken } from './token-classes.ts'

export type Dependencies = {
  baseUrl: string
  requestHashKey: KeyObject
  limits: RequestLimits
  tokens: AccessTokens<CustomerToken>
  operatorTokens: AccessTokens<OperatorToken>
  proofs: Proofs
  grants: Grants
}
