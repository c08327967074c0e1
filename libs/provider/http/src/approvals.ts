/**
 * Answers of a provider about approvals, as the port's unions. Pure functions.
 *
 * Invariant: a result that ends an operation (`refused`, `declined`, `expired`, `failed`) or lets it continue (`granted`,
 * `not_needed`) needs a complete, well-formed answer about this very approval. Every other answer is `unavailable`.
 */

import type { PolledApproval, PreparedApproval } from '@financial-agents/provider-port/approval'
import { approvalResult, approvalStarted } from './api/hosted.ts'
import type { ExchangeResult } from './exchange.ts'
import { failureCodeOf, findRefusal, unavailableReason } from './outcomes.ts'
import { findShape } from './shapes.ts'

const invalid = { type: 'unavailable', reason: 'provider_response_invalid' } as const

export function preparedOf(result: ExchangeResult, reference: string): PreparedApproval {
  const refusal = findRefusal(result)
  if (refusal !== undefined) return { type: 'refused', ...refusal }
  const reason = unavailableReason(result, [200, 201])
  if (reason !== undefined || result.type !== 'answered') {
    return { type: 'unavailable', reason: reason ?? invalid.reason }
  }
  const approval = findShape(approvalStarted, result.body)?.data
  if (approval === undefined || approval.client_reference !== reference) return invalid
  if (approval.status === 'not_needed') return { type: 'not_needed' }
  return {
    type: 'started',
    approval: approval.reference,
    hostedUrl: approval.hosted_url,
    expiresAt: new Date(approval.expires_at),
    pollAfterMs: approval.poll_after_ms,
  }
}

export function approvalOf(result: ExchangeResult, asked: string): PolledApproval {
  const reason = unavailableReason(result)
  if (reason !== undefined || result.type !== 'answered') {
    return { type: 'unavailable', reason: reason ?? invalid.reason }
  }
  const approval = findShape(approvalResult, result.body)?.data
  if (approval === undefined || approval.reference !== asked) return invalid
  switch (approval.status) {
    case 'failed': {
      const failureDetail = `The provider will not take it (${approval.failure_code}).`
      return { type: 'failed', failureCode: failureCodeOf(approval.failure_code), failureDetail }
    }
    case 'not_needed':
      return { type: 'granted' }
    default:
      return { type: approval.status }
  }
}
