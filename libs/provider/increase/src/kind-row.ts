/** A kind that Increase executes, as the adapter knows it. */

import type {
  ProviderFailureCode,
  ResourceFacts,
  Submission,
  SubmitOutcome,
} from '@financial-agents/provider-port/port'
import type Increase from 'increase'
import type { Asking, Call } from './client.ts'
import type { Person } from './person.ts'

export type ListQuery = { readonly idempotency_key: string; readonly account_id: string; readonly limit: number }

/** The facts with which the adapter puts a submission into the words of Increase. */
export type Saying = {
  readonly person: Person
  readonly submission: Submission
  /** The reference of the named resource; empty if the kind names none. */
  readonly target: string
  /** Reads before the one request. */
  readonly ask: (call: Call) => ReturnType<Asking['ask']>
  readonly habits: Habits
}

/** The settings of the installation. */
export type Habits = {
  /** A person has to approve every transfer in the dashboard of Increase. */
  readonly approveTransfers: boolean
  /** Shown to the payee of a transfer without a memo. */
  readonly statementDescriptor: string
}

/** The request, or the outcome if no request is sent. */
export type Said = { readonly type: 'said'; readonly call: Call } | Exclude<SubmitOutcome, { type: 'uncertain' }>

/** The facts about the operation that an object of Increase shows. */
export type Stand = {
  readonly id: string
  /** Our reference; null if we did not create this object. */
  readonly key: string | null
  /** The account that the object belongs to; null if Increase keeps it for the whole group. */
  readonly account: string | null
  readonly state: 'pending' | 'succeeded' | 'failed'
  readonly failureCode?: ProviderFailureCode
  readonly resource?: ResourceFacts
  /** Increase's own word for the state, for the evidence. */
  readonly status: string
}

export type KindRow = {
  readonly say: (saying: Saying) => Promise<Said>
  /** Reads the object of an answer; undefined if it has not the promised shape or does not belong to the kind. */
  readonly findStand: (body: unknown) => Stand | undefined
  /** The name of the read in the evidence. */
  readonly read: string
} & (
  | {
      readonly proof: 'key'
      /** The lists that may hold the object of our reference. */
      readonly lists: readonly ((client: Increase, query: ListQuery) => Promise<unknown>)[]
    }
  | {
      /** Increase keeps no reference of a change. The only proof is a state to which nothing but this kind leads. */
      readonly proof: 'state'
      readonly absorbing: string | undefined
    }
)
