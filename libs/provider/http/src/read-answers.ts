/**
 * The answer to a read in the port's words: the data in the promised shape, `contract_broken`, or the reason why there
 * are no data.
 */

import type { ReadResult } from '@financial-agents/provider-port/port'
import type { z } from 'zod'
import type { ExchangeResult } from './exchange.ts'
import { refusesConnection, unavailableReason } from './outcomes.ts'
import { readShape } from './shapes.ts'

/** Parses the answer to a read that moves nothing. */
export function listOf<Shape extends z.ZodType>(result: ExchangeResult, shape: Shape): ReadResult<z.infer<Shape>> {
  const reason = unavailableReason(result)
  if (reason === 'provider_refused' && !refusesConnection(result)) {
    return { type: 'unavailable', reason: 'provider_response_invalid' }
  }
  if (reason !== undefined) return { type: 'unavailable', reason }
  const read = readShape(shape, result.type === 'answered' ? result.body : '')
  return read.type === 'ok' ? read : broken(`not the promised answer: ${read.where}`)
}

/** @param reason names members, never values */
export function broken(reason: string): { type: 'contract_broken'; reason: string } {
  return { type: 'contract_broken', reason }
}

/** The result with its data converted by `map`. */
export function mapped<From, To>(answer: ReadResult<From>, map: (data: From) => To): ReadResult<To> {
  return answer.type === 'ok' ? { type: 'ok', data: map(answer.data) } : answer
}
