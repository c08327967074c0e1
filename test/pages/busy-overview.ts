/** The overview on a bad day: reviews, old operations, failures, and something in every state and at every age. */

import { operationStates } from '@financial-agents/contract/machine'
import type { OperatorOperation } from '@financial-agents/contract/schemas/operator'
import { renderConsolePage } from '../../services/ops-console/src/pages/layout.ts'
import { overviewView } from '../../services/ops-console/src/pages/views/overview.ts'

const now = new Date('2026-11-23T03:00:00.000Z')
const idOf = (number: number) => `01990000-0000-7000-8000-${String(number).padStart(12, '0')}`

function operation(number: number): OperatorOperation {
  const at = new Date(now.getTime() - number * 3_600_000).toISOString()
  return {
    id: idOf(number),
    kind: 'mandate_transfer',
    state: 'indeterminate',
    submission_uncertain: true,
    failure_code: 'provider_timeout',
    failure_detail: null,
    created_at: at,
    updated_at: at,
    resource_id: idOf(number),
    resource_type: 'mandate_transfer',
    next_reconcile_at: now.toISOString(),
    upstream_reference: null,
    subject: `subject-${'x'.repeat(36)}`,
    client: { id: 'household', name: 'Household agent of the family' },
    grant_id: idOf(number),
    mandate_id: idOf(number),
    trace_id: null,
    payment: { amount: '1250.00', currency: 'EUR' },
    review: true,
    review_reason: 'Ten reads did not find it',
    age_seconds: number * 3_600,
  }
}

/** The HTML of the whole page. */
export function busyOverview(): string {
  const operations = Array.from({ length: 20 }, (_one, index) => operation(index + 1))
  const inFlight = operationStates.filter((state) => !['succeeded', 'failed', 'cancelled'].includes(state))
  const overview = {
    counts: Object.fromEntries(operationStates.map((state, index) => [state, index * 40])),
    ages: inFlight.flatMap((state) =>
      [60, 300, 3_600, 86_400, null].map((under_seconds) => ({ state, under_seconds, operations: 7 })),
    ),
    oldest: operations.map(({ id, client, ...rest }) => ({
      ...rest,
      operation_id: id,
      client_id: client.id,
      payment: { ...rest.payment, beneficiary_id: id },
    })),
    hours: Array.from({ length: 24 }, (_hour, index) => ({
      hour: new Date(now.getTime() - (24 - index) * 3_600_000).toISOString(),
      created: 100 + index,
      succeeded: 90,
      failed: index,
      cancelled: 1,
    })),
    failures: (['provider_timeout', 'provider_refused', 'grant_inactive'] as const).map((failure_code) => ({
      failure_code,
      operations: 12,
    })),
  }
  const names = new Map([['household', 'Household agent of the family']])
  const reviews = { items: operations.slice(0, 10), more: true }
  const given = { overview, names, reviews, publicUrl: 'https://api.example.com', now } as unknown as Parameters<
    typeof overviewView
  >[0]
  const session = { operator: { id: 'jonas', name: 'Jonas Brandt' }, formToken: { name: 'token', value: 'x' } }
  return renderConsolePage(overviewView(given), { session: session as never, environment: 'production' })
}
