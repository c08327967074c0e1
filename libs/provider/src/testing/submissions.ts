/**
 * For tests against the fake provider: mutations of every kind as our services submit them, with what they name made first.
 * All of it is invented; nobody has to approve what Amara asks for.
 */

import { randomUUID } from 'node:crypto'
import { kindFacts, type OperationKind } from '@financial-agents/operation-machine/kinds'
import { type Provider, type Submission, type SubmissionTarget } from '../port.ts'

/** The credentials of the fake provider's personas. */
export const amara = 'persona-amara-okafor-leeds'
export const daniel = 'persona-daniel-reyes-tucson'
export const ines = 'persona-ines-carvalho-lisboa'
export const tomasz = 'persona-tomasz-zielinski-gdansk'

const timeoutMs = 5_000

/** Bodies that create a beneficiary, by payout schema. */
export const payees = {
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

/** Caps of a mandate, in more than one way of writing a number. */
export const caps = {
  per_payment_max: '50',
  daily_max: '1e2',
  weekly_max: '+200.00',
  monthly_max: '300',
  total_cap: '400',
  payment_count: 10,
}

/** The payload of each kind as accepted; the members that are ours alone are there too, to show that they stay with us. */
export const payloads = {
  beneficiary_create: payees.sepa_de_eur,
  card_close: {},
  card_create: { label: 'Groceries', type: 'virtual', currency: 'EUR' },
  card_freeze: {},
  card_unfreeze: {},
  mandate_create: {
    ...caps,
    beneficiary_id: randomUUID(),
    authorized_clients: ['one-agent'],
    authorized_rules: ['rent'],
    expires_at: new Date(Date.now() + 30 * 86_400_000).toISOString(),
  },
  mandate_revoke: {},
  mandate_suspend: {},
  mandate_transfer: { amount: '12.50', currency: 'EUR', reference: 'October rent', rule: 'rent' },
  transfer: { beneficiary_id: randomUUID(), amount: '20.00', currency: 'EUR', memo: 'With thanks' },
  transfer_grant_revoke: {},
} as const satisfies { readonly [K in OperationKind]: object }

/** A mutation of the kind; what it names is the caller's to give. */
export function submission(kind: OperationKind, changes: Partial<Submission> = {}): Submission {
  return { kind, reference: randomUUID(), credentials: amara, timeoutMs, payload: payloads[kind], ...changes }
}

/** Submits it and says how to name what came of it. */
export async function make(provider: Provider, request: Submission): Promise<SubmissionTarget> {
  const outcome = await provider.submit(request)
  if (outcome.type !== 'succeeded') throw new Error(`${request.kind}: ${JSON.stringify(outcome)}`)
  return { upstreamReference: outcome.upstreamReference }
}

const creates = { beneficiary: 'beneficiary_create', card: 'card_create', mandate: 'mandate_create' } as const

/** What a mutation of the kind names, made with the same credentials; nobody has to approve it. */
export async function makeTarget(
  provider: Provider,
  kind: OperationKind,
  credentials: string,
): Promise<SubmissionTarget | undefined> {
  const named = kindFacts[kind].target
  if (named === null) return undefined
  const creating = creates[named]
  const target = await makeTarget(provider, creating, credentials)
  return make(provider, submission(creating, { credentials, target }))
}

/** A mutation that is executed at once, on a resource of its own. */
export async function readySubmission(
  provider: Provider,
  kind: OperationKind,
  credentials = amara,
): Promise<Submission> {
  return submission(kind, { credentials, target: await makeTarget(provider, kind, credentials) })
}
