/**
 * The provider port on Increase. Its only state is its connections. `kinds.ts` puts each kind into the words of Increase, `outcomes.ts` and
 * `lookups.ts` validate the proof that an answer gives.
 *
 * Invariant: one `submit` sends one POST or PATCH at most. Reads may come before it, and none after it.
 */

import { kindFacts } from '@financial-agents/contract/kinds'
import type { ExchangeResult } from '@financial-agents/provider-http/exchange'
import { findShape } from '@financial-agents/provider-http/shapes'
import type {
  CallContext,
  LookupRequest,
  LookupResult,
  Provider,
  Submission,
  SubmitOutcome,
} from '@financial-agents/provider-port/port'
import { z } from 'zod'
import { startCardReveal } from './card-details.ts'
import { type Asking, type Connection, createAsking } from './client.ts'
import { type Habits, type KindRow, type Saying } from './kind-row.ts'
import { findRow } from './kinds.ts'
import { lookUpByKey, lookUpByState } from './lookups.ts'
import { failed, outcomeWithoutObject, uncertain, unsayable } from './outcomes.ts'
import { findPerson, type Person } from './person.ts'
import { createReads } from './reads.ts'

export type IncreaseAdapterOptions = Connection &
  Habits & {
    /** Card reveals answer with the address of the iframe, which shows the number to everybody who has it. */
    readonly revealsCards: boolean
  }

/** Makes the port to Increase. No connection is made before the first call. */
export function createIncreaseAdapter(options: IncreaseAdapterOptions): Provider {
  const asking = createAsking(options)
  return {
    supports: (kind) => findRow(kind) !== undefined,
    // Increase promises neither a deadline nor that its lists are complete by a key (`Idempotency keys`, "Recovering from errors").
    deadlines: null,
    submit: (submission) => submit(asking, submission, options),
    lookup: (request) => lookup(asking, request),
    // A transfer that waits for approval at Increase was submitted: its approval executes it.
    mayAskApproval: () => false,
    prepareApproval: async () => ({ type: 'not_needed' }),
    pollApproval: async () => ({ type: 'unavailable', reason: 'provider_refused' }),
    startCardReveal: (request) => startCardReveal(asking, request, options.revealsCards),
    ...createReads(asking),
    close: () => asking.close(),
  }
}

/** Returns the function that calls Increase within the remaining time of one call of the port. */
function askWithin(asking: Asking, { timeoutMs, traceHeaders }: CallContext): Saying['ask'] {
  const endMs = performance.now() + timeoutMs
  return (call) => asking.ask(call, { timeoutMs: Math.floor(endMs - performance.now()), traceHeaders })
}

async function submit(asking: Asking, submission: Submission, habits: Habits): Promise<SubmitOutcome> {
  const { kind, target, credentials } = submission
  const row = findRow(kind)
  if (row === undefined) return unsupported
  const person = findPerson(credentials)
  if (person === undefined) return unknownPerson
  if (kindFacts[kind].target !== null && target === undefined) return unsayable
  const ask = askWithin(asking, submission)
  const said = await row.say({ person, submission, target: target?.upstreamReference ?? '', ask, habits })
  if (said.type !== 'said') return said
  return outcomeOf(await ask(said.call), row, submission, person)
}

function outcomeOf(result: ExchangeResult, row: KindRow, submission: Submission, person: Person): SubmitOutcome {
  if (result.type !== 'answered' || (result.status !== 200 && result.status !== 201))
    return outcomeWithoutObject(result)
  const stand = row.findStand(findShape(z.unknown(), result.body))
  const isOurs =
    stand !== undefined &&
    (row.proof === 'key' ? stand.key === submission.reference : stand.id === submission.target?.upstreamReference) &&
    (stand.account === null || stand.account === person.account_id)
  if (!isOurs) return uncertain('provider_response_invalid', 'Increase answered, but not in the promised form.')
  const { id: upstreamReference, state, status, failureCode = 'provider_refused', resource } = stand
  if (state === 'failed') return failed(failureCode, `Increase did not execute it (${statusWord(status)}).`)
  if (state === 'pending') return { type: 'submitted', upstreamReference }
  return { type: 'succeeded', upstreamReference, ...(resource && { resource }) }
}

/** A word of Increase, never free text. */
function statusWord(status: string): string {
  return /^[a-z_]{1,40}$/.test(status) ? status : 'unknown'
}

async function lookup(asking: Asking, request: LookupRequest): Promise<LookupResult> {
  const row = findRow(request.kind)
  if (row === undefined) return { type: 'unavailable', reason: 'operation_kind_unsupported' }
  const person = findPerson(request.credentials)
  if (person === undefined) return { type: 'unavailable', reason: 'provider_authentication_failed' }
  const ask = askWithin(asking, request)
  return row.proof === 'key' ? lookUpByKey(row, request, person, ask) : lookUpByState(row, request, person, ask)
}

const unsupported = failed(
  'operation_kind_unsupported',
  'Increase does not offer this kind of operation; nothing was sent.',
)

const unknownPerson = failed(
  'provider_authentication_failed',
  'The credentials of the connection name no account at Increase; nothing was sent.',
)
