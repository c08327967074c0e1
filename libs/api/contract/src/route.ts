/**
 * The columns of the route table. The gateway's router and checks, the bus subject, the service's handlers, the
 * validation of input and output, and the documentation all derive from the row.
 */

import { z } from 'zod'
import type { OperationKind } from './machine/kinds.ts'
import type { ProblemCode } from './problem-catalogue.ts'
import type { ConfirmedAction } from './schemas/authorization.ts'
import type { Operation } from './schemas/operation.ts'
import type { OperatorScope, Scope } from './scopes.ts'

export type Area =
  | 'accounts'
  | 'activity'
  | 'authorization'
  | 'beneficiaries'
  | 'cards'
  | 'identity'
  | 'kyc'
  | 'onboarding'
  | 'operation-webhooks'
  | 'operations'
  | 'operator'
  | 'payment-checks'
  | 'purchases'
  | 'reference-data'
  | 'services'
  | 'spending'
  | 'system'
  | 'transfer-quotes'
  | 'transfers'
export type RouteService =
  | 'authz'
  | 'beneficiaries'
  | 'cards'
  | 'catalog'
  | 'gateway'
  | 'notifier'
  | 'onboarding'
  | 'operations'
  | 'ops-console'
  | 'spending'
/** The capabilities that the environment must enable before their routes work. */
export const enablableCapabilities = ['cards.reveal', 'transfers.execute'] as const

export type Capability = (typeof enablableCapabilities)[number]

/** A row of the table. */
export type Route = {
  method: 'GET' | 'POST' | 'DELETE'
  /**
   * RFC 6570 level 1, for example `/v1/operations/{id}`. Together with the method, it is part of an idempotency key's
   * identity.
   */
  path: `/v1/${string}`
  area: Area
  /** The route's effect, in one short sentence. */
  summary: string
  /** Facts for readers of the reference that the columns do not contain. */
  description: string | null
  /** The service that answers, by its folder under services/. */
  service: RouteService
  /** The class of tokens that the route accepts. Each class has its own issuer and audience. */
  audience: 'customer' | 'operator'
  /**
   * null: no credentials. A list: any one of these scopes is enough for the gateway, and the service checks what else
   * is needed.
   */
  scope: Scope | OperatorScope | readonly Scope[] | null
  /**
   * True if the route answers by the browser's session cookie. The request is then carried to its service as HTTP, with
   * cookies.
   */
  browserSession: boolean
  /** True if the route accepts `Idempotency-Key` (K). */
  keyed: boolean
  /** The kind of the operation that the route opens; null if it opens none. A provider offers some kinds and not others. */
  opens: OperationKind | null
  /** True if the route needs the owner's provider binding to be connected (B). */
  binding: boolean
  /**
   * The capability under which `GET /v1/services` shows the route; null for a route that no single scope of a grant opens.
   * A capability of `enablableCapabilities` must be enabled by the environment before the route works.
   */
  capability: `${string}.${string}` | null
  /** The method of the published clients: `cards.freeze` is `agent.cards.freeze(…)`. Null: the clients have none. */
  client: `${string}.${string}` | null
  /**
   * The command line that does what the route does. `{name}` stands for the path parameter or the member of the body of
   * that name, and an object for its members as words `key=value`. Null: no command does the same.
   */
  cli: string | null
  /**
   * The action for which the route accepts `Confirmation-Intent-ID`. It is needed always (C), or if the grant's policy
   * says so (c).
   */
  confirmation: { action: ConfirmedAction; needed: 'always' | 'by_policy' } | null
  /**
   * The advice for clients that got no answer, if a second request could have a second effect. Null if repeating the
   * request is safe, and on keyed writes, whose key finds the operation.
   */
  unanswered: string | null
  /**
   * True if the handler receives the delegation: the grant's policy, and the scopes that both the token and the grant
   * have.
   */
  policy: boolean
  /** True if the route's error bodies have `refresh_onboarding`. */
  refreshOnboarding: boolean
  /**
   * The time in seconds for which anyone may cache the answer and then revalidate it by its ETag. Null: the answer is
   * not cached.
   */
  maxAgeS: number | null
  params: z.ZodObject
  query: z.ZodObject
  body: z.ZodObject | null
  status: 200 | 201 | 202 | 204
  response: z.ZodType
  /** The route's own problem codes, beyond those that its columns imply. */
  problems: readonly ProblemCode[]
}

const none = z.strictObject({})

const usual = {
  description: null,
  audience: 'customer',
  scope: null,
  browserSession: false,
  keyed: false,
  opens: null,
  binding: false,
  capability: null,
  cli: null,
  confirmation: null,
  unanswered: null,
  policy: false,
  refreshOnboarding: false,
  maxAgeS: null,
  params: none,
  query: none,
  body: null,
  status: 200,
  problems: [],
} as const

type Needed = 'method' | 'path' | 'area' | 'summary' | 'service' | 'client' | 'response'
type RowOf<Given> = Omit<typeof usual, keyof Given> & Given

/** Absent columns get their default (no credentials, no key, 200, no query parameters). */
export function route<const Given extends Partial<Route> & Pick<Route, Needed>>(given: Given): RowOf<Given> {
  return { ...usual, ...given }
}

export type RouteInput<R extends Route> = {
  params: z.output<R['params']>
  query: z.output<R['query']>
  body: R['body'] extends z.ZodObject ? z.output<R['body']> : undefined
}

/**
 * The result of a keyed route's handler: the current operation, and true in `replayed` if an equal request came before.
 */
export type Acceptance = { operation: Operation; replayed: boolean }

export type RouteOutput<R extends Route> = R['keyed'] extends true ? Acceptance : z.input<R['response']>

/** The scopes of which a request needs one. Empty if the route needs no credentials. */
export function scopesOf(row: Pick<Route, 'scope'>): readonly (Scope | OperatorScope)[] {
  if (row.scope === null) return []
  return typeof row.scope === 'string' ? [row.scope] : row.scope
}

/** The capability of the row that the environment must enable; null if the route always works. */
export function enablableOf({ capability }: Pick<Route, 'capability'>): Capability | null {
  return enablableCapabilities.find((name) => name === capability) ?? null
}

/**
 * The route as text, for example `POST /v1/beneficiaries`: part of an idempotency key's identity (contract,
 * "Idempotency contract", 6).
 */
export function routeString(row: Pick<Route, 'method' | 'path'>): string {
  return `${row.method} ${row.path}`
}
