/**
 * What a row of the route table says. The gateway's router and checks, the bus subject, the service's handlers, the
 * validation of input and output and the documentation all come from the row; none of them repeats it.
 */

import { z } from 'zod'
import type { ProblemCode } from './problem-catalogue.ts'
import type { ConfirmedAction } from './schemas/authorization.ts'
import type { Operation } from './schemas/operation.ts'
import type { OperatorScope, Scope } from './scopes.ts'

/** The area of the API that a route belongs to. */
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
  | 'purchases'
  | 'reference-data'
  | 'services'
  | 'spending'
  | 'system'
  | 'transfer-quotes'
  | 'transfers'
/** The services that answer routes. */
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
/** What an environment has to enable before a route does anything. */
export type Capability = 'cards.reveal' | 'transfers.execute'

/** A row of the table. */
export type Route = {
  method: 'GET' | 'POST' | 'DELETE'
  /** RFC 6570 level 1, for example `/v1/operations/{id}`. Keys idempotency records together with the method. */
  path: `/v1/${string}`
  area: Area
  /** What it does, in one short sentence. */
  summary: string
  /** What a reader of the reference should know besides, that the columns do not say. */
  description: string | null
  /** The folder under services/ that answers. */
  service: RouteService
  /** Whose tokens it takes: each class has an issuer and an audience of its own. */
  audience: 'customer' | 'operator'
  /** null: no credentials. A list: any of them, and the service judges what more the request needs. */
  scope: Scope | OperatorScope | readonly Scope[] | null
  /** Answers for the browser's session cookie: carried to its service as HTTP, cookies and all. */
  browserSession: boolean
  /** Takes `Idempotency-Key` (K). */
  keyed: boolean
  /** Needs the owner's provider binding connected (B). */
  binding: boolean
  capability: Capability | null
  /** Takes `Confirmation-Intent-ID` for this action: always (C), or where the policy of the grant asks for it (c). */
  confirmation: { action: ConfirmedAction; needed: 'always' | 'by_policy' } | null
  /**
   * What its client is told to do where no answer came, because a second request could do a second thing; null where repeating it is
   * safe, and on a keyed write, whose key finds what became of it.
   */
  unanswered: string | null
  /** Its handler is given what the grant delegates: its policy, and the scopes that token and grant both have. */
  policy: boolean
  /** Its error bodies carry `refresh_onboarding`. */
  refreshOnboarding: boolean
  /** For so long anybody may keep the answer, and then ask again with its ETag; null: nobody keeps it. */
  maxAgeS: number | null
  params: z.ZodObject
  query: z.ZodObject
  body: z.ZodObject | null
  status: 200 | 201 | 202 | 204
  response: z.ZodType
  /** Codes of its own, beyond those that its columns imply. */
  problems: readonly ProblemCode[]
}

const none = z.strictObject({})

const usual = {
  description: null,
  audience: 'customer',
  scope: null,
  browserSession: false,
  keyed: false,
  binding: false,
  capability: null,
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

type Needed = 'method' | 'path' | 'area' | 'summary' | 'service' | 'response'
type RowOf<Given> = Omit<typeof usual, keyof Given> & Given

/** A row: the columns that are not named take their usual value (no credentials, no key, 200, nothing in the query). */
export function route<const Given extends Partial<Route> & Pick<Route, Needed>>(given: Given): RowOf<Given> {
  return { ...usual, ...given }
}

/** What a handler is given, parsed. */
export type RouteInput<R extends Route> = {
  params: z.output<R['params']>
  query: z.output<R['query']>
  body: R['body'] extends z.ZodObject ? z.output<R['body']> : undefined
}

/** What a handler of a keyed route returns: the live row, and whether an equal request was there before. */
export type Acceptance = { operation: Operation; replayed: boolean }

/** What a handler returns. */
export type RouteOutput<R extends Route> = R['keyed'] extends true ? Acceptance : z.input<R['response']>

/** The scopes of which a request needs one; none where the route takes no credentials. */
export function scopesOf(row: Pick<Route, 'scope'>): readonly (Scope | OperatorScope)[] {
  if (row.scope === null) return []
  return typeof row.scope === 'string' ? [row.scope] : row.scope
}

/** `POST /v1/beneficiaries`: the string that keys idempotency records (contract, "Idempotency contract", 6). */
export function routeString(row: Pick<Route, 'method' | 'path'>): string {
  return `${row.method} ${row.path}`
}
