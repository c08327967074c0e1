/**
 * All calls between services, by subject, from the tables under `calls/`. Subjects with `int.` stay inside the account of the
 * services. The gateway may call subjects with `rpc.`, in addition to the routes of the contract.
 */

import { authzCalls } from './calls/authz.ts'
import { beneficiariesCalls } from './calls/beneficiaries.ts'
import { gatewayCalls } from './calls/gateway.ts'
import { notifierCalls } from './calls/notifier.ts'
import { onboardingCalls } from './calls/onboarding.ts'
import { operationsCalls } from './calls/operations.ts'
import { opsConsoleCalls } from './calls/ops-console.ts'
import { reconcilerCalls } from './calls/reconciler.ts'
import type { AnyRow, CallRow, DecisionRow, NoticeRow, ServiceName } from './calls/row.ts'
import { spendingCalls } from './calls/spending.ts'
import { submitterCalls } from './calls/submitter.ts'

export const callsOf = {
  gateway: gatewayCalls,
  authz: authzCalls,
  operations: operationsCalls,
  submitter: submitterCalls,
  reconciler: reconcilerCalls,
  beneficiaries: beneficiariesCalls,
  cards: {},
  spending: spendingCalls,
  onboarding: onboardingCalls,
  catalog: {},
  notifier: notifierCalls,
  'ops-console': opsConsoleCalls,
} as const satisfies Record<ServiceName, Readonly<Record<string, AnyRow>>>

export const callRows: Readonly<Record<string, AnyRow>> = Object.fromEntries(
  Object.values(callsOf).flatMap((rows) => Object.entries<AnyRow>(rows)),
)

/** The intersection of the members of a union. */
type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never

/** The rows of all services as one table. */
type Rows = Intersection<(typeof callsOf)[ServiceName]>

/** A subject that ends in `*` stands for every subject with the same prefix. */
type Concrete<Subject> = Subject extends `${infer Begin}*` ? `${Begin}${string}` : Subject

/** The request and the answer of every call and decision, by subject. */
export type Calls = {
  [Subject in keyof Rows as Rows[Subject] extends NoticeRow<unknown>
    ? never
    : Concrete<Subject>]: Rows[Subject] extends CallRow<infer Request, infer Answer>
    ? { request: Request; answer: Answer }
    : Rows[Subject] extends DecisionRow<infer Request>
      ? { request: Request; answer: null }
      : never
}

export type CallSubject = keyof Calls

export type Notices = {
  [Subject in keyof Rows as Rows[Subject] extends NoticeRow<unknown>
    ? Subject
    : never]: Rows[Subject] extends NoticeRow<infer Notice> ? Notice : never
}
