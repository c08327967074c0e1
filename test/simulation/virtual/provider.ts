/**
 * The virtual provider behind the port. It executes and records every submission that reaches it, as often as it
 * arrives, so that a second submission is noticed. It may be slow, lose its replies, refuse, settle later or never, and
 * contradict itself. It may hide a record for a while, or stop showing it for a while or for good. A state that it
 * calls final never changes.
 *
 * In half of the seeds it makes the promise about deadlines and keeps it: its reads are then complete, apart from a delay.
 * The clock by which it refuses and the clock that its reads show differ; the declared margin covers both. Neither is the
 * clock of any of our processes, which may differ by more than the margin.
 */

import type { OperationKind } from '@financial-agents/contract/kinds'
import type { RoutedProvider } from '@financial-agents/provider-client/routed'
import type { ApprovalPoll, ApprovalRequest } from '@financial-agents/provider-port/approval'
import type {
  DeadlinePromise,
  LookupRequest,
  LookupResult,
  Submission,
  SubmitOutcome,
} from '@financial-agents/provider-port/port'
import { cardChanges, kindsOracle } from '@financial-agents/testkit/kinds-oracle'
import { createVirtualCards } from './provider-cards.ts'
import type { Chance } from './random.ts'
import { epochMs, type Scheduler, type VirtualProcess } from './scheduler.ts'

export type ProviderFaults = {
  unreachable: number
  lost: number
  slow: number
  errors: number
  refuses: number
  hides: number
  contradicts: number
  /** Stops showing a record that it accepted. */
  losesSight: number
  /** Kinds for which the owner may have to approve. */
  asksFor: readonly string[]
  latency: () => number
  /** Null: no promise about deadlines. */
  deadlines: Deadlines | null
}

/** The promise about deadlines, and the provider's own clocks. */
export type Deadlines = {
  promise: DeadlinePromise
  /** The difference between the true time and the clock by which it refuses, and the clock that its reads show; ms. */
  refusesAtMs: number
  showsMs: number
  /** The time after which a read shows a mutation that has begun, ms. */
  lagMs: number
  /**
   * The longest time between the moment at which a read sees the records and the moment of the clock that it shows, ms.
   */
  dawdlesMs: number
}

/** Draws clocks that the margin covers. */
export function drawDeadlines(chance: Chance): Deadlines {
  const clockMarginMs = 800
  const apartMs = chance.between(-clockMarginMs, clockMarginMs)
  const refusesAtMs = chance.between(-3_000, 3_000)
  return {
    promise: { refusesAfterDeadline: true, completeByReference: true, clockMarginMs },
    refusesAtMs,
    showsMs: refusesAtMs + apartMs,
    lagMs: chance.between(0, clockMarginMs - Math.abs(apartMs)),
    dawdlesMs: chance.pick([0, 3_000]),
  }
}

type Approval = { decided: 'pending' | 'granted' | 'declined' | 'expired'; expiresAt: Date }

/** The provider's true record of one reference. */
export type ProviderRecord = {
  reference: string
  kind: string
  state: 'pending' | 'succeeded' | 'failed'
  /** The time from which a look-up by our reference may show the record. */
  shownFrom: number
  /** The period in which no look-up shows the record. */
  outOfSight: { from: number; until: number } | null
  neverSettles: boolean
  /** The existing resource of the provider that the operation names. */
  target: string | null
  upstreamReference: string
  /** The facts that the provider shows about the resource after execution. */
  resource?: Record<string, string> | undefined
}

const upstreamReferenceOf = (reference: string) => `up-${reference}`
const factsOf = ({ resource }: ProviderRecord) => (resource ? { resource } : {})

export function createVirtualProvider(parts: {
  scheduler: Scheduler
  chance: Chance
  faults: ProviderFaults
  /** A submission arrived; called before anything is executed. */
  onSubmission: (submission: Submission, owner: VirtualProcess) => void
  /** The mutation was executed, at once or by settling later. */
  onExecuted: (record: ProviderRecord) => void
  trace: (owner: VirtualProcess | null, what: string) => void
}) {
  const { scheduler, chance, faults, trace } = parts
  const records = new Map<string, ProviderRecord>()
  const cards = createVirtualCards(() => new Date())
  /** Submissions that were sent and have not arrived. They may still be executed, until their deadline if there is one. */
  const travelling = new Map<string, number>()
  const validUntil = new Map<string, number>()
  /** References that certainly were refused, by the provider or by the connection to it. */
  const refused = new Set<string>()
  const timeAt = (offsetMs = 0) => epochMs + scheduler.now() + offsetMs
  const isPastDeadline = (reference: string) =>
    faults.deadlines !== null && timeAt(faults.deadlines.refusesAtMs) > (validUntil.get(reference) ?? 0)

  function receive(owner: VirtualProcess, submission: Submission): SubmitOutcome | null {
    const { reference, kind } = submission
    const target = submission.target?.upstreamReference ?? null
    travelling.set(reference, (travelling.get(reference) ?? 1) - 1)
    parts.onSubmission(submission, owner)
    trace(null, `provider receives ${kind} ${reference}`)
    const hiddenMs = faults.deadlines?.lagMs ?? (chance.happens(faults.hides) ? chance.between(0, 15_000) : 0)
    const shownFrom = scheduler.now() + hiddenMs
    const outOfSight = !faults.deadlines && chance.happens(faults.losesSight) ? drawOutOfSight() : null
    const upstreamReference = upstreamReferenceOf(reference)
    const about = { reference, kind, target, upstreamReference }
    const record: ProviderRecord = { ...about, state: 'pending', shownFrom, outOfSight, neverSettles: false }
    const broken = chance.happens(faults.errors)
    if (isPastDeadline(reference)) {
      refused.add(reference)
      if (broken) return null
      return { type: 'failed', failureCode: 'submission_expired', failureDetail: 'Its deadline had passed.' }
    }
    if (chance.happens(faults.refuses) || !cards.allows(record)) {
      refused.add(reference)
      if (chance.happens(0.5)) records.set(reference, Object.assign(record, { state: 'failed' as const }))
      if (broken) return null
      return { type: 'failed', failureCode: 'provider_refused', failureDetail: 'The provider refused it.' }
    }
    records.set(reference, record)
    if (chance.happens(0.6)) {
      execute(record)
      return broken ? null : { type: 'succeeded', upstreamReference, ...factsOf(record) }
    }
    if (chance.happens(0.1)) record.neverSettles = true
    else
      scheduler.after(chance.between(200, 25_000), null, () => {
        if (chance.happens(0.7) && cards.allows(record)) return execute(record)
        record.state = 'failed'
        refused.add(reference)
      })
    return broken ? null : { type: 'submitted', upstreamReference }
  }

  function drawOutOfSight(): NonNullable<ProviderRecord['outOfSight']> {
    const from = scheduler.now() + chance.between(0, 8_000)
    return { from, until: chance.happens(0.5) ? Number.POSITIVE_INFINITY : from + chance.between(500, 600_000) }
  }

  const isInSight = ({ shownFrom, outOfSight }: ProviderRecord) => {
    const now = scheduler.now()
    return shownFrom <= now && !(outOfSight && outOfSight.from <= now && now < outOfSight.until)
  }

  function execute(record: ProviderRecord): void {
    record.resource = cards.execute(record)
    record.state = 'succeeded'
    parts.onExecuted(record)
  }

  function submit(owner: VirtualProcess, submission: Submission): Promise<SubmitOutcome> {
    return new Promise((resolve) => {
      const back = (delayMs: number, outcome: SubmitOutcome) => scheduler.after(delayMs, owner, () => resolve(outcome))
      if (chance.happens(faults.unreachable)) {
        refused.add(submission.reference)
        back(faults.latency(), {
          type: 'unsent',
          failureCode: 'provider_unreachable',
          failureDetail: 'The provider could not be reached.',
        })
        return
      }
      back(submission.timeoutMs, { type: 'uncertain', failureCode: 'provider_timeout', failureDetail: 'No answer.' })
      validUntil.set(submission.reference, submission.validUntil.getTime())
      if (chance.happens(faults.lost)) return
      travelling.set(submission.reference, (travelling.get(submission.reference) ?? 0) + 1)
      scheduler.after(travelMs(submission), null, () => {
        const outcome = receive(owner, submission)
        if (chance.happens(faults.lost)) return
        const answer = outcome ?? {
          type: 'uncertain' as const,
          failureCode: 'provider_error' as const,
          failureDetail: 'It failed inside.',
        }
        back(faults.latency() + (chance.happens(faults.slow) ? chance.between(500, 4_000) : 0), answer)
      })
    })
  }

  /** A slow packet takes seconds. Some arrive about the deadline, shortly before it or shortly after. */
  function travelMs(submission: Submission): number {
    const ms = faults.latency()
    if (!chance.happens(faults.slow)) return ms
    if (!faults.deadlines || chance.happens(0.4)) return ms + chance.between(500, 20_000)
    const leftMs = submission.validUntil.getTime() - timeAt(faults.deadlines.refusesAtMs)
    return Math.max(ms, leftMs + chance.between(-600, 300))
  }

  function lookup(owner: VirtualProcess, request: LookupRequest): Promise<LookupResult> {
    return new Promise((resolve) => {
      scheduler.after(faults.latency(), null, () => {
        const result = read(request)
        // The provider looks at its clock at any moment of the read, at the latest when it answers.
        scheduler.after(chance.between(0, faults.deadlines?.dawdlesMs ?? 0), null, () => {
          const answer = result.type === 'not_found' ? { ...result, ...shownTime() } : result
          scheduler.after(faults.latency(), owner, () => resolve(answer))
        })
      })
    })
  }

  const shownTime = () => (faults.deadlines ? { providerTime: new Date(timeAt(faults.deadlines.showsMs)) } : {})

  const isEnding = (kind: OperationKind) => cardChanges.includes(kind) && kindsOracle[kind].isProvedByState

  function read({ kind, reference, target }: LookupRequest): LookupResult {
    const read = `${kind}_by_reference`
    const notFound: LookupResult = { type: 'not_found', read, observed: '[]' }
    if (chance.happens(faults.errors)) return { type: 'unavailable', reason: 'provider_timeout' }
    const record = records.get(reference)
    const isMissed = !faults.deadlines && chance.happens(faults.contradicts)
    if (!record || !isInSight(record) || isMissed) {
      // A final state of the card is proof even without our reference.
      if (!isEnding(kind) || cards.stateOf(target?.upstreamReference) !== 'closed') return notFound
      return { type: 'found', read, state: 'succeeded', upstreamReference: reference, observed: 'closed' }
    }
    if (chance.happens(faults.contradicts))
      return { type: 'ambiguous', read, reason: 'two records', observed: '["a","b"]' }
    const state = chance.happens(faults.contradicts) ? 'pending' : record.state
    const upstreamReference = upstreamReferenceOf(reference)
    const found = { type: 'found' as const, read, upstreamReference, observed: `{"state":"${state}"}` }
    if (state === 'failed') return { ...found, state, failureCode: 'provider_refused' }
    return state === 'succeeded' ? { ...found, state, ...factsOf(record) } : { ...found, state }
  }

  const later = (owner: VirtualProcess, answer: () => unknown) =>
    new Promise((resolve) => {
      scheduler.after(faults.latency(), null, () => {
        const given = answer()
        scheduler.after(faults.latency(), owner, () => resolve(given))
      })
    })
  const reference = (owner: VirtualProcess, data: unknown) =>
    later(owner, () =>
      chance.happens(faults.errors) ? { type: 'unavailable', reason: 'provider_error' } : { type: 'ok', data },
    )

  const approvals = new Map<string, Approval>()
  function prepare({ reference }: ApprovalRequest) {
    if (chance.happens(faults.errors)) return { type: 'unavailable', reason: 'provider_error' }
    if (!approvals.has(reference)) {
      if (chance.happens(0.3)) return { type: 'not_needed' }
      if (chance.happens(0.1)) return { type: 'refused', failureCode: 'provider_refused', failureDetail: 'Refused.' }
      const approval: Approval = { decided: 'pending', expiresAt: new Date(Date.now() + 20_000) }
      approvals.set(reference, approval)
      scheduler.after(chance.between(500, 30_000), null, () => {
        approval.decided =
          Date.now() > approval.expiresAt.getTime() ? 'expired' : chance.pick(['granted', 'granted', 'declined'])
      })
    }
    const { expiresAt } = approvals.get(reference) as Approval
    return {
      type: 'started',
      approval: reference,
      hostedUrl: 'https://provider.invalid/a',
      expiresAt,
      pollAfterMs: 1_000,
    }
  }
  function poll({ approval }: ApprovalPoll) {
    if (chance.happens(faults.errors)) return { type: 'unavailable', reason: 'provider_error' }
    return { type: approvals.get(approval)?.decided ?? 'pending' }
  }

  return {
    records,
    cards,
    mayStillExecute: (id: string) =>
      ((travelling.get(id) ?? 0) > 0 && !isPastDeadline(id)) ||
      records.get(id)?.state === 'pending' ||
      records.get(id)?.state === 'succeeded',
    /** True if it was sent, and nothing has refused it. */
    wasSentUnrefused: (id: string) => validUntil.has(id) && !refused.has(id),
    /** True if a sufficiently late read proves that an operation that never arrived was not executed. */
    provesAbsence: () => faults.deadlines !== null,
    /** Returns true if no look-up will ever show the record again. */
    isLostFromSight: (id: string) => {
      const record = records.get(id)
      return record !== undefined && record.outOfSight?.until === Number.POSITIVE_INFINITY && !isInSight(record)
    },
    truthOf: (id: string): ProviderRecord['state'] | 'never arrived' => records.get(id)?.state ?? 'never arrived',
    portOf: (owner: VirtualProcess): RoutedProvider => {
      const port = {
        supports: () => true,
        deadlines: faults.deadlines?.promise ?? null,
        mayAskApproval: (kind: string) => faults.asksFor.includes(kind),
        prepareApproval: (request: ApprovalRequest) => later(owner, () => prepare(request)),
        pollApproval: (request: ApprovalPoll) => later(owner, () => poll(request)),
        submit: (submission: Submission) => submit(owner, submission),
        lookup: (request: LookupRequest) => lookup(owner, request),
        payoutSchemas: () => reference(owner, payoutSchemas),
        identityStatus: () => later(owner, () => ({ type: 'unavailable', reason: 'provider_error' })),
        withdrawalLimits: () => reference(owner, withdrawalLimits),
        addressCountries: () => reference(owner, []),
        close: () => Promise.resolve(),
        of: () => port,
      } as unknown as RoutedProvider
      return port
    },
  }
}

const withdrawalLimits = {
  currency: 'EUR',
  minimum_amount: '1',
  maximum_amount: '1000',
  fee_fixed: '0',
  fee_basis_points: '0',
  rail: 'sepa',
  memo: { supported: true, minimum_characters: 0, maximum_characters: 140 },
  purpose_codes: [],
}

export const payoutSchemas = [
  {
    id: 'sepa',
    name: 'SEPA',
    country: 'PT',
    currency: 'EUR',
    rail: 'sepa',
    fields: [
      {
        key: 'iban',
        label: 'IBAN',
        type: 'string',
        pattern: null,
        min_length: 5,
        max_length: 40,
        options: null,
        required: true,
      },
    ],
    example_details: { iban: 'PT50000201231234567890154' },
  },
]
