/**
 * The objectives of the service as one table. The recording rules, the burn-rate alerts, the panels of the dashboard and
 * `deploy/guide/objectives.md` derive from it.
 *
 * Invariant: an event counts once, and it is either good or bad. So the bad share is one minus good events divided by all events.
 */

import { paymentKinds } from '@financial-agents/contract/kinds'

/** The days over which a budget is spent. */
export const windowDays = 30

/** A selector of PromQL: a metric, and the label matchers beside that of the namespace. */
type Selector = { metric: string; matchers?: string }

export type Objective = {
  /** The recorded series are `financial_agents:<series>:ratio<window>`. */
  series: string
  alert: string
  promise: string
  /** The share of events that may be bad. */
  budget: number
  all: Selector
  good: Selector
  counts: string
  /** The bad events in the summary of an alert, after their share. */
  bad: string
  /** The bad events in the description of an alert: "the budget of …". */
  budgetOf: string
}

const requests = 'http_server_request_duration_seconds'
const firstOutcome = 'financial_agents_operations_first_outcome_duration_seconds'
const finalOutcome = 'financial_agents_operations_final_outcome_duration_seconds'
const isTimed = 'http_route!~".* .*", http_response_status_code!~"5..|499"'
const isNoPayment = `kind!~"${paymentKinds.join('|')}"`

/** Also a threshold on the dashboard. */
export const gatewayErrors: Objective = {
  series: 'gateway_errors',
  alert: 'GatewayErrorBudgetBurn',
  promise: 'A request does not fail',
  budget: 0.001,
  all: { metric: `${requests}_count` },
  good: { metric: `${requests}_count`, matchers: 'http_response_status_code!~"5.."' },
  counts: 'Every answer of the gateway. A 5xx is a failure. A request that its client aborted (499) is not.',
  bad: 'of requests failed',
  budgetOf: 'failures',
}

export const objectives: readonly Objective[] = [
  gatewayErrors,
  {
    series: 'gateway_slow',
    alert: 'GatewayLatencyBudgetBurn',
    promise: 'An answer takes at most 0.5 s',
    budget: 0.01,
    all: { metric: `${requests}_count`, matchers: isTimed },
    good: { metric: `${requests}_bucket`, matchers: `${isTimed}, le="0.5"` },
    counts: 'Answers of the API that did not fail and were not aborted. Pages are for people, and do not count.',
    bad: 'of answers took longer than 0.5 s',
    budgetOf: 'slow answers',
  },
  {
    series: 'operations_unanswered',
    alert: 'FirstOutcomeBudgetBurn',
    promise: 'An accepted operation has a certain first outcome within 10 s',
    budget: 0.01,
    all: { metric: `${firstOutcome}_count` },
    good: { metric: `${firstOutcome}_bucket`, matchers: 'state!="indeterminate", le="10"' },
    counts:
      'Each operation once, when it leaves `accepted` and `submitting`. `submitted` is an outcome: the provider has the operation. `indeterminate` is always bad.',
    bad: 'of operations had no certain outcome within 10 s',
    budgetOf: 'late and uncertain outcomes',
  },
  {
    series: 'operations_unfinished',
    alert: 'FinalOutcomeBudgetBurn',
    promise: 'An operation that does not pay is final within a minute',
    budget: 0.01,
    all: { metric: `${finalOutcome}_count`, matchers: isNoPayment },
    good: { metric: `${finalOutcome}_bucket`, matchers: `${isNoPayment}, le="60"` },
    counts:
      'Each operation once, when it is `succeeded`, `failed` or `cancelled`. Payments do not count, because the network of the provider decides when money arrives.',
    bad: 'of operations took longer than a minute to be final',
    budgetOf: 'operations that are final too late',
  },
]

/** An alert of each objective: it fires while both windows spend the budget at least `factor` times too fast. */
export const burnRates = [
  { severity: 'critical', factor: 14.4, long: '1h', short: '5m', for: '2m', lasted: 'hour', goneIn: 'two days' },
  { severity: 'warning', factor: 6, long: '6h', short: '30m', for: '15m', lasted: 'six hours', goneIn: 'five days' },
] as const

/** Fewer events than this in the long window prove nothing. */
export const minEvents = 10

/** The name of the recorded share of bad events. */
export function ratioOf(objective: Objective, window: string): string {
  return `financial_agents:${objective.series}:ratio${window}`
}

/** A share as a percentage: `0.1 %`. */
export function percent(share: number): string {
  return `${Number((share * 100).toFixed(6))} %`
}
