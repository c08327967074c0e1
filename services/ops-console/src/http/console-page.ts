/** What a page of the console is: where it is, who may see it, and how it answers. The frame (`page-frame.ts`) does the rest. */

import type { GrantActivity, OperationsOverview } from '@financial-agents/bus/messages/operator'
import type { Operator } from '@financial-agents/bus/rpc'
import type { OperatorScope } from '@financial-agents/contract/scopes'
import type { Page } from '@financial-agents/pages/page'
import type { PageRights } from '@financial-agents/pages/page-headers'
import type { ApiClient } from '../api/api-client.ts'
import type { AuditAction } from '../store/audit.ts'
import type { AuditPage, AuditQuery } from '../store/audit-log.ts'

/** Who is signed in, as pages may know it. */
export type PageSession = {
  operator: Operator
  scopes: readonly OperatorScope[]
  /** The hidden fields that every form of this session carries (`form({ hidden })` of libs/pages/parts). */
  formToken: Readonly<Record<string, string>>
}

export type PageRequest = {
  session: PageSession
  /** Origin of the API, whose pages explain codes; the console may have a host of its own. */
  publicUrl: string
  /** The path as it was asked for, without its query. */
  path: string
  params: Readonly<Record<string, string>>
  /** Each parameter once; empty ones are left out, as a form with an untouched filter sends them. */
  query: Readonly<Record<string, string>>
  /** The fields of a form, the token against forgery checked and left out. */
  form: Readonly<Record<string, string>>
  /** The page's own script asks for what changed: `view.main` alone is sent, and the session's 15 minutes go on running out. */
  isRefresh: boolean
  /** A word that the page before left by `flash`, once. */
  flash: string | undefined
  /** The four routes, through the gateway, with the operator's own token. Throws ApiRefusal, Unavailable. */
  api: ApiClient
  /** The sums, at most a few seconds old. For operators with ops:read. */
  overview: () => Promise<OperationsOverview>
  /** What each grant did last, and has under way. For operators with ops:read. */
  grantActivity: (grantIds: string[]) => Promise<GrantActivity[]>
  /** What clients are called; of one whose name cannot be read now, its id. */
  clientNames: (clientIds: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** The audit, newest first, 50 at a time. */
  listAudit: (query: AuditQuery) => Promise<AuditPage>
}

export type PageAnswer =
  | { view: Page; status?: number; rights?: PageRights }
  /** After a form: the browser asks for the next page by GET. `flash`: a word of lower-case letters and underscores. */
  | { redirectTo: string; flash?: string }

export type ConsolePage = {
  method: 'GET' | 'POST'
  /** As Fastify routes it: `/ops/operations/:operation_id`. */
  path: string
  scope: OperatorScope
  /** For what is seen without a call of the API (those are in the audit anyway): how the audit calls the look. */
  look?: AuditAction
  answer: (request: PageRequest) => Promise<PageAnswer>
}

/** A file that pages load: for everybody, and kept for ever, so its name has its hash. */
export type Asset = { path: string; contentType: string; body: string }
