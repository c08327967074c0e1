/** The kinds of operations in words for people. JSON keeps those of the API. */

import type { Operation } from '@financial-agents/client'

/** True if it moves money to a payee, from the spending account or under a mandate. */
export function isPayment({ kind }: Pick<Operation, 'kind'>): boolean {
  return kind === 'transfer' || kind === 'mandate_transfer'
}

export function kindWords(operation: Pick<Operation, 'kind'>): string {
  return isPayment(operation) ? 'payment' : operation.kind
}
