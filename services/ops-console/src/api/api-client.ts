/** A typed client of the four operator routes. Every refusal of the API becomes one error class. */

import { Problem } from '@financial-agents/contract/problem'
import type { Route } from '@financial-agents/contract/route'
import { operatorRoutes } from '@financial-agents/contract/routes/operator'
import { problem } from '@financial-agents/contract/schemas/problem'
import { Unavailable } from '@financial-agents/runtime/unavailable'
import type { z } from 'zod'
import type { Reasons } from '../pages/suspension-reasons.ts'
import type { Session } from '../store/sessions.ts'
import { withTimes } from './entered-times.ts'
import type { AskGateway, GatewayAnswer } from './gateway-client.ts'

type Answer<Name extends keyof typeof operatorRoutes> = z.output<(typeof operatorRoutes)[Name]['response']>
type Query = Readonly<Record<string, string>>

/**
 * A call throws ApiRefusal if the API refuses, and Unavailable if it does not answer. A suspension throws
 * acceptance_unknown in the second case.
 */
export type ApiClient = {
  /** `query` is the one of the address. The API refuses wrong parameters (422 validation_failed). */
  listOperations(query: Query): Promise<Answer<'listOperatorOperations'>>
  getOperation(operationId: string): Promise<Answer<'getOperatorOperation'>>
  listGrants(query: Query): Promise<Answer<'listOperatorGrants'>>
  suspendGrant(grantId: string, reasons: Reasons): Promise<Answer<'suspendOperatorGrant'>>
}

/** A refusal of the API: its status, code, explanation and the wrong fields. */
export class ApiRefusal extends Error {
  override readonly name = 'ApiRefusal'
  readonly problem: z.output<typeof problem>

  constructor(refused: z.output<typeof problem>) {
    super(`the API refused: ${refused.code}`)
    this.problem = refused
  }
}

/** Calls the API on behalf of the signed-in operator. */
export function createApiClient(ask: AskGateway, session: Session): ApiClient {
  const { listOperatorOperations, getOperatorOperation, listOperatorGrants, suspendOperatorGrant } = operatorRoutes
  const get = async <R extends Route>(row: R, path: string, query: Query = {}) =>
    read(row, await ask(session, { method: 'GET', path, query }))
  return {
    listOperations: (query) => get(listOperatorOperations, '/v1/ops/operations', withTimes(query)),
    getOperation: (id) => get(getOperatorOperation, `/v1/ops/operations/${encodeURIComponent(id)}`),
    listGrants: (query) => get(listOperatorGrants, '/v1/ops/grants', query),
    suspendGrant: async (id, reasons) => {
      const path = `/v1/ops/grants/${encodeURIComponent(id)}/suspend`
      try {
        return read(suspendOperatorGrant, await ask(session, { method: 'POST', path, body: reasons }))
      } catch (error) {
        // A missing answer is not a refusal: the suspension may have been carried out.
        throw error instanceof Unavailable ? new Problem('acceptance_unknown', { cause: error }) : error
      }
    },
  }
}

function read<R extends Route>(row: R, { status, body }: GatewayAnswer): z.output<R['response']> {
  if (status === row.status) return row.response.parse(body) as z.output<R['response']>
  const refused = problem.safeParse(body)
  if (refused.success) throw new ApiRefusal(refused.data)
  throw new Unavailable(`the gateway answered ${status}, and no problem`)
}
