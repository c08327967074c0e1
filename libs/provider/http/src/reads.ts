/**
 * Every read of the port over HTTP. An answer that has not the shape of its row, or that answers another request, is `contract_broken` as a
 * whole.
 */

import type { AnonymousCallContext, ReadResult } from '@financial-agents/provider-port/port'
import { allReads, type ProviderRead, type ProviderReads, type ReadName } from '@financial-agents/provider-port/reads'
import { providerCalls } from './api/calls.ts'
import { providerPath } from './api/paths.ts'
import { get, post, withQuery } from './calls.ts'
import type { Exchange, ExchangeResult } from './exchange.ts'
import { refusesConnection, unavailableReason } from './outcomes.ts'
import { readShape } from './shapes.ts'

type Parameters = Record<string, string | number | boolean | undefined>

export function createReads(exchange: Exchange): ProviderReads {
  const reads = allReads.map(([name, row]) => {
    const read = async (request: AnonymousCallContext & Readonly<Parameters>) => {
      const asked = askedOf(row, request)
      const path = providerPath(name)
      const result =
        row.method === 'POST'
          ? await post(exchange, path, request, asked)
          : await get(exchange, withQuery(path, asked), request)
      return answerOf(name, row, result, asked)
    }
    return [name, read]
  })
  return Object.fromEntries(reads) as ProviderReads
}

/** The members of the request that the row has, as they are. */
function askedOf({ asks }: ProviderRead, request: Readonly<Parameters>): Parameters {
  const names = Object.keys(asks?.shape ?? {}).filter((name) => request[name] !== undefined)
  return Object.fromEntries(names.map((name) => [name, request[name]]))
}

function answerOf(name: ReadName, row: ProviderRead, result: ExchangeResult, asked: object): ReadResult<unknown> {
  const reason = unavailableReason(result)
  if (reason === 'provider_refused' && !refusesConnection(result)) {
    return { type: 'unavailable', reason: 'provider_response_invalid' }
  }
  if (reason !== undefined) return { type: 'unavailable', reason }
  const read = readShape(providerCalls[name].answer, result.type === 'answered' ? result.body : '')
  if (read.type === 'broken') return { type: 'contract_broken', reason: `not the promised answer: ${read.where}` }
  const { data } = read.data as { data: never }
  const mismatch = row.findMismatch?.(data, asked as never)
  return mismatch === undefined ? { type: 'ok', data } : { type: 'contract_broken', reason: mismatch }
}
