/**
 * The kinds of rows in the tables of calls. Each service has one table. A row states the meaning of its subject, its types and the
 * services that may send it. Permissions, documents and handlers derive from the rows.
 */

import type { Principal } from '@financial-agents/contract/principal'
import type { Route } from '@financial-agents/contract/route'
import type { GrantPolicy } from '@financial-agents/contract/schemas/authorization'
import type { MessageContext } from '../headers.ts'
import type { ValidateRequest } from '../messages/decisions.ts'

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
  /** A description of the request and the answer, for the documents. */
  meaning: string
  askedBy: readonly (ServiceName | 'provisioner')[]
  /** If set, every replica receives the message, and the first answer counts. Otherwise one replica of the queue group does. */
  everyReplica?: true
  /** The limit of concurrent requests in one process. Requests above it are answered `service_unavailable`. */
  maxInFlight?: number
}

/** `types` has no value at run time; it only carries the types. */
export type CallRow<Request, Answer> = Row & { kind: 'call'; types?: { request: Request; answer: Answer } }

/** A message without an answer. Its row says so if it may be lost; otherwise a background job of its sender repeats it until its effect is visible. */
export type NoticeRow<Notice> = Row & { kind: 'notice'; types?: { notice: Notice } }

/**
 * Checks if a write would be refused now, before its owner is asked to confirm it. The answer is null, or the problem with which the
 * write would be refused. The area uses the same check as for the write itself, and writes nothing.
 */
export type DecisionRow<Request> = Row & { kind: 'decision'; types?: { request: Request; answer: null } }

export type AnyRow = CallRow<unknown, unknown> | NoticeRow<unknown> | DecisionRow<unknown>

export function call<Request, Answer>(row: Row): CallRow<Request, Answer> {
  return { ...row, kind: 'call' }
}

export function notice<Notice>(row: Row): NoticeRow<Notice> {
  return { ...row, kind: 'notice' }
}

export function decision<Validated extends Route>(row: Row): DecisionRow<ValidateRequest<Validated>> {
  return { ...row, kind: 'decision' }
}

/** The authority under which a write is validated. The context of a route's handler has this type. */
export type WriteCaller = Omit<MessageContext, 'principal'> & { principal: Principal; policy: GrantPolicy }

/** The handler of a decision throws the problem that refuses the write. */
export type CallHandler<Each> =
  Each extends NoticeRow<infer Notice>
    ? (notice: Notice) => Promise<void>
    : Each extends DecisionRow<infer Request>
      ? (request: Request, caller: WriteCaller) => Promise<void>
      : Each extends CallRow<infer Request, infer Answer>
        ? (request: Request, context: MessageContext) => Promise<Answer>
        : never

/** A missing handler does not compile. */
export type CallHandlers<Rows> = { [Subject in keyof Rows]: CallHandler<Rows[Subject]> }

/** The areas with writes. They call operations for key results, acceptance and decisions. */
export const writingAreas = ['beneficiaries', 'cards', 'spending', 'onboarding'] as const satisfies ServiceName[]
