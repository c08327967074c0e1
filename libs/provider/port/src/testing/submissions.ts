/**
 * For tests: mutations of every kind as our services submit them, and the resources that they name. The names and numbers are
 * invented. The payloads suit the fake provider.
 */

import { randomUUID } from 'node:crypto'
import { kindFacts, type OperationKind } from '@financial-agents/contract/kinds'
import { type Provider, type Submission, type SubmissionTarget } from '../port.ts'

const timeoutMs = 5_000
/** Long: tests move the clock of a provider. */
const validForMs = 365 * 86_400_000

/** Payloads that create a beneficiary, by payout schema. */
export const beneficiaries = {
  sepa_de_eur: {
    name: 'Greta Lindqvist',
    country: 'DE',
    currency: 'EUR',
    payout_schema_id: 'sepa_de_eur',
    details: { iban: 'DE89370400440532013000' },
  },
  ach_us_usd: {
    name: 'Wendell Ortiz',
    country: 'US',
    currency: 'USD',
    payout_schema_id: 'ach_us_usd',
    details: { routing_number: '021000021', account_number: '9876543210', account_type: 'checking' },
  },
  fps_gb_gbp: {
    name: 'Nadia Hussain',
    country: 'GB',
    currency: 'GBP',
    payout_schema_id: 'fps_gb_gbp',
    details: { sort_code: '601613', account_number: '31926819' },
  },
} as const

/** Limits of a mandate, with numbers written in several ways. */
export const caps = {
  per_payment_max: '50',
  daily_max: '1e2',
  weekly_max: '+200.00',
  monthly_max: '300',
  total_cap: '400',
  payment_count: 10,
}

/** The accepted payload of each kind that has one. It includes members that only we use, to show that they are not sent. */
export const payloads = {
  beneficiary_create: beneficiaries.sepa_de_eur,
  card_create: { label: 'Groceries', type: 'virtual', currency: 'EUR' },
  mandate_create: {
    ...caps,
    beneficiary_id: randomUUID(),
    authorized_clients: ['one-agent'],
    authorized_rules: ['rent'],
    expires_at: new Date(Date.now() + 30 * 86_400_000).toISOString(),
  },
  mandate_transfer: { amount: '12.50', currency: 'EUR', reference: 'October rent', rule: 'rent' },
  transfer: { beneficiary_id: randomUUID(), amount: '20.00', currency: 'EUR', memo: 'With thanks' },
} as const satisfies { readonly [K in OperationKind]?: object }

const payloadOf: { readonly [K in OperationKind]?: object } = payloads

/** A mutation of the kind. The caller gives its target in `changes`. */
export function submission(
  kind: OperationKind,
  changes: Partial<Submission> & Pick<Submission, 'credentials'>,
): Submission {
  const validUntil = new Date(Date.now() + validForMs)
  return { kind, reference: randomUUID(), timeoutMs, validUntil, payload: { ...payloadOf[kind] }, ...changes }
}

/** Submits the mutation and returns the reference of the resource that it created. */
export async function make(provider: Provider, request: Submission): Promise<SubmissionTarget> {
  const outcome = await provider.submit(request)
  if (outcome.type !== 'succeeded') throw new Error(`${request.kind}: ${JSON.stringify(outcome)}`)
  return { upstreamReference: outcome.upstreamReference }
}

/** Creates the resource that a mutation of the kind names, with the same credentials. Nobody may have to approve it. */
export async function makeTarget(
  provider: Provider,
  kind: OperationKind,
  credentials: string,
): Promise<SubmissionTarget | undefined> {
  const named = kindFacts[kind].target
  if (named === null) return undefined
  const creating = `${named}_create` as const
  const target = await makeTarget(provider, creating, credentials)
  return make(provider, submission(creating, { credentials, target }))
}

/** A mutation that the provider executes at once, on a resource of its own. */
export async function readySubmission(
  provider: Provider,
  kind: OperationKind,
  credentials: string,
): Promise<Submission> {
  return submission(kind, { credentials, target: await makeTarget(provider, kind, credentials) })
}
