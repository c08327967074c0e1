/**
 * The kinds of rows in the tables of calls, one table a service. A row says what its subject means, what goes over it, and who may
 * send it; permissions, documents and handlers derive from it.
 */

import type { Principal } from '@financial-agents/contract/principal'
import type { Route } from '@financial-agents/contract/route'
import type { GrantPolicy } from '@financial-agents/contract/schemas/authorization'
import type { MessageContext } from '../headers.ts'
import type { JudgeRequest } from '../messages/judgements.ts'

/** The services that have a user on the bus. */
export type ServiceName =
  | 'gateway'
  | 'authz'
  | 'operations'
  | 'submitter'
  | 'reconciler'
  | 'beneficiaries'
  | 'cards'
  | 'spending'
  | 'onboarding'
  | 'catalog'
  | 'notifier'
  | 'ops-console'

type Row = {
  /** What is asked and answered, for the documents. */
  meaning: string
  askedBy: readonly ServiceName[]
  /** Every replica hears it, and the first answer counts; otherwise one of the queue group does. */
  everyReplica?: true
  /** Answers under way at once in one process; more than these are told to come again. */
  maxInFlight?: number
}

/** A request and its answer. `types` is never there: it carries the types. */
export type CallRow<Request, Answer> = Row & { kind: 'call'; types?: { request: Request; answer: Answer } }

/** A message without an answer, repeated by a sweep of its sender until its effect is seen. */
export type NoticeRow<Notice> = Row & { kind: 'notice'; types?: { notice: Notice } }

/**
 * Whether a write would be refused now, before its owner is asked to confirm it. The write's own judgement answers, which writes
 * nothing: null, or the problem with which the write would be refused.
 */
export type JudgementRow<Request> = Row & { kind: 'judgement'; types?: { request: Request; answer: null } }

/** A row of any kind. */
export type AnyRow = CallRow<unknown, unknown> | NoticeRow<unknown> | JudgementRow<unknown>

export function call<Request, Answer>(row: Row): CallRow<Request, Answer> {
  return { ...row, kind: 'call' }
}

export function notice<Notice>(row: Row): NoticeRow<Notice> {
  return { ...row, kind: 'notice' }
}

export function judgement<Judged extends Route>(row: Row): JudgementRow<JudgeRequest<Judged>> {
  return { ...row, kind: 'judgement' }
}

/** On whose authority a write is judged; the context of a route's handler is one. */
export type WriteAsker = Omit<MessageContext, 'principal'> & { principal: Principal; policy: GrantPolicy }

/** What answers a row. A judgement throws the problem that refuses the write. */
export type CallHandler<Each> =
  Each extends NoticeRow<infer Notice>
    ? (notice: Notice) => Promise<void>
    : Each extends JudgementRow<infer Request>
      ? (request: Request, asker: WriteAsker) => Promise<void>
      : Each extends CallRow<infer Request, infer Answer>
        ? (request: Request, context: MessageContext) => Promise<Answer>
        : never

/** One handler for each row; a missing one does not compile. */
export type CallHandlers<Rows> = { [Subject in keyof Rows]: CallHandler<Rows[Subject]> }

/** The areas with writes: they ask for key verdicts, acceptance and decisions. */
export const writingAreas = ['beneficiaries', 'cards', 'spending', 'onboarding'] as const satisfies ServiceName[]
