/** The harnesses of the port's cases for any provider with a sandbox: its adapter, its proxy and its sandbox calls. */

import { randomUUID } from 'node:crypto'
import { kindFacts, type OperationKind } from '@financial-agents/contract/kinds'
import type { Provider, Submission, SubmissionTarget } from '@financial-agents/provider-port/port'
import { make, submission } from '@financial-agents/provider-port/testing/submissions'
import { type ConformanceFault, type ConformanceHarness, doubtfulFaults } from './cases/harness.ts'
import type { ReadHarness } from './cases/read-harness.ts'
import type { Proxy } from './proxy.ts'
import type { Sandbox } from './sandbox.ts'

/** Time for a call that is expected to be answered. */
export const patientMs = 60_000

export type Harnesses = {
  readonly harness: ConformanceHarness
  readonly readHarness: ReadHarness
  /** The payload of a kind in the words of our API. */
  readonly payloadOf: (kind: OperationKind, approved?: boolean) => Readonly<Record<string, unknown>>
}

const proxyFaults = ['hold', 'slow', ...doubtfulFaults] as const

function isOfProxy(fault: string): fault is (typeof proxyFaults)[number] {
  return (proxyFaults as readonly string[]).includes(fault)
}

/** The kinds that a person may have to approve. */
const approvedKinds: ReadonlySet<OperationKind> = new Set(['mandate_create', 'transfer'])

const dayMs = 86_400_000

/**
 * Makes the harnesses.
 * @param unreachable the same adapter, for an address at which nothing listens
 * @param kinds the kinds that are validated
 */
export async function createHarnesses(
  provider: Provider,
  unreachable: Provider,
  proxy: Proxy,
  sandbox: Sandbox,
  kinds: readonly OperationKind[],
): Promise<Harnesses> {
  const { description } = sandbox
  const reader = { credentials: description.reader.credentials, timeoutMs: patientMs }
  const beneficiary = await beneficiaryOf(provider, description.payout_schema_id, reader)
  const payloadOf: Harnesses['payloadOf'] = (kind, approved = false) =>
    payloadsOf(kind, description, beneficiary, approved ? (description.approved_payment ?? undefined) : undefined)

  const deadlineKinds = await kindsWithClock(sandbox, kinds)

  const makeTarget = async (kind: OperationKind, credentials: string): Promise<SubmissionTarget | undefined> => {
    const named = kindFacts[kind].target
    if (named === null) return undefined
    const creating = `${named}_create` as const
    const target = await makeTarget(creating, credentials)
    const changes = { credentials, target, payload: payloadOf(creating), timeoutMs: patientMs }
    return make(provider, submission(creating, changes))
  }
  const ready = async (kind: OperationKind, approves: boolean): Promise<Submission> => {
    // Uses a connection of its own, so that withdrawing the connection affects no other case.
    const credentials = await sandbox.connect(approves)
    const target = await makeTarget(kind, credentials)
    return submission(kind, { credentials, target, payload: payloadOf(kind, approves), timeoutMs: patientMs })
  }

  const harness: ConformanceHarness = {
    provider,
    unreachable,
    faults: new Set<ConformanceFault>([...proxyFaults, ...description.faults]),
    deadlineKinds,
    newSubmission: (kind) => ready(kind, false),
    async newApprovalRequest(kind) {
      if (description.approved_payment === null || !approvedKinds.has(kind)) return undefined
      return { ...(await ready(kind, true)), returnUrl: null }
    },
    async newCardReveal() {
      const credentials = await sandbox.connect(false)
      const card = await makeTarget('card_freeze', credentials)
      if (card === undefined) throw new Error('no card')
      return { credentials, timeoutMs: patientMs, reference: randomUUID(), card }
    },
    async order(fault, reference) {
      if (isOfProxy(fault)) return proxy.orderInstruction(reference, fault)
      await sandbox.order({ client_reference: reference, fault })
    },
    release: (reference) => proxy.release(reference),
    settle: (reference, as) => sandbox.settle({ client_reference: reference, as: as }),
    decide: (hosted_url, decision) => sandbox.decide({ hosted_url, decision }),
    countArrivals: (reference) => proxy.countArrivals(reference),
  }
  return { harness, readHarness: readHarnessOf(provider, unreachable, proxy, sandbox), payloadOf }
}

/** The kinds whose own search shows the provider's clock: the promise about deadlines is made for each of them. */
async function kindsWithClock(
  { clock }: Sandbox,
  kinds: readonly OperationKind[],
): Promise<ReadonlySet<OperationKind>> {
  const clocks = await Promise.all(kinds.map(async (kind) => [kind, await clock(kind)] as const))
  return new Set(clocks.flatMap(([kind, time]) => (time === undefined ? [] : [kind])))
}

type Beneficiary = {
  readonly name: string
  readonly country: string
  readonly currency: string
  readonly details: object
}

async function beneficiaryOf(
  provider: Provider,
  payoutSchemaId: string,
  person: { credentials: string; timeoutMs: number },
): Promise<Beneficiary> {
  const schemas = await provider.payoutSchemas(person)
  const found = schemas.type === 'ok' ? schemas.data.find(({ id }) => id === payoutSchemaId) : undefined
  if (found === undefined)
    throw new Error(`GET /payout-schemas does not show the payout schema ${payoutSchemaId} to the reader`)
  const { country, currency, example_details: details } = found
  return { name: 'Greta Lindqvist', country, currency, details }
}

function payloadsOf(
  kind: OperationKind,
  { payout_schema_id, payment, card }: Sandbox['description'],
  beneficiary: Beneficiary,
  instead = payment,
): Readonly<Record<string, unknown>> {
  switch (kind) {
    case 'beneficiary_create':
      return { ...beneficiary, payout_schema_id }
    case 'card_create':
      return { label: 'Groceries', ...card }
    case 'mandate_create':
      return {
        per_payment_max: payment.amount,
        daily_max: '1e6',
        weekly_max: '+1000000.00',
        monthly_max: '1000000',
        total_cap: '1000000',
        payment_count: 10,
        expires_at: new Date(Date.now() + 30 * dayMs).toISOString(),
      }
    case 'transfer':
      return { ...instead, memo: 'With thanks' }
    case 'mandate_transfer':
      return { ...instead, reference: 'October rent' }
    default:
      return {}
  }
}

function readHarnessOf(provider: Provider, unreachable: Provider, proxy: Proxy, { description }: Sandbox): ReadHarness {
  const { reads: asks, reader, other_reader } = description
  const { transferQuote, purchaseQuote } = asks
  return {
    provider,
    unreachable,
    faults: new Set(['slow', 'malform', 'refuse']),
    person: { credentials: reader.credentials, timeoutMs: patientMs },
    stranger: { credentials: other_reader.credentials, timeoutMs: patientMs },
    refusedCredentials: 'of-nobody-at-all',
    card: { upstreamReference: reader.card_reference },
    asks,
    refusedTransferQuotes: [
      ['source_currency', { ...transferQuote, source_currency: 'XTS' }],
      ['target_currency', { ...transferQuote, target_currency: 'XTS' }],
      ['beneficiary_reference', { ...transferQuote, beneficiary_reference: 'nobody' }],
    ],
    refusedPurchaseQuotes: [
      ['service_reference', { ...purchaseQuote, service_reference: 'nothing' }],
      ['product_id', { ...purchaseQuote, product_id: 'nothing' }],
    ],
    order: async (fault, read) => proxy.orderCall(read, fault),
    countMutations: async () => proxy.countInstructions(),
  }
}
