/** The shape of a console page: its address, its scope and its answer. The frame (`page-frame.ts`) does the rest. */

import type { GrantActivity, OperationsOverview } from '@financial-agents/bus/messages/operator'
import type { Operator } from '@financial-agents/bus/rpc'
import type { Cursors } from '@financial-agents/contract/cursor'
import type { OperatorScope } from '@financial-agents/contract/scopes'
import type { Page } from '@financial-agents/pages/page'
import type { PageRights } from '@financial-agents/pages/page-headers'
import type { ApiClient } from '../api/api-client.ts'
import type { ProviderHealth } from '../operations/provider-health.ts'
import type { Writes } from '../operations/writes.ts'
import type { OutsideLinks } from '../pages/outside-links.ts'
import type { AuditAction } from '../store/audit.ts'
import type { AuditPage, AuditQuery } from '../store/audit-log.ts'
import type { ReadHealthView } from '../store/read-health.ts'

export type Suspending = { cursors: Cursors; byTwo: boolean; now: () => Date }

/** The facts about the signed-in operator that pages may use. */
export type PageSession = {
  operator: Operator
  scopes: readonly OperatorScope[]
  /** The hidden fields that every form of this session carries (`form({ hidden })` of libs/platform/pages/parts). */
  formToken: Readonly<Record<string, string>>
}

export type PageRequest = {
  session: PageSession
  /** The origin of the API, whose pages explain codes. The console may have a host of its own. */
  publicUrl: string
  /** Addresses of other systems, where they are configured. */
  links: OutsideLinks
  /** The dependencies of suspending every grant of a client. */
  suspending: Suspending
  /** The requested path, without its query. */
  path: string
  params: Readonly<Record<string, string>>
  /** Each parameter once. Empty parameters are omitted, because a form sends them for an untouched filter. */
  query: Readonly<Record<string, string>>
  /** The fields of a form, without its token, which has been checked. */
  form: Readonly<Record<string, string>>
  /**
   * The page's own script asks for changes. Only `view.main` is sent, and the session's 15 minutes are not extended.
   */
  isRefresh: boolean
  /** The `flash` word of the previous answer. Only the next page gets it. */
  flash: string | undefined
  /** The four routes, called through the gateway with the operator's own token. Throws ApiRefusal and Unavailable. */
  api: ApiClient
  /** The sums, at most a few seconds old. Requires ops:read. */
  overview: () => Promise<OperationsOverview>
  /** The provider's answers in the last hour, and on each of the last `days` days. Requires ops:read. */
  providerHealth: (days: number) => Promise<ProviderHealth>
  /**
   * The reads of the provider in the last hour and on each of the last `days` days, and the present circuits. Requires
   * ops:read.
   */
  readHealth: (days: number) => Promise<ReadHealthView>
  /** If writes are open, at most a few seconds old. Requires ops:read. */
  writes: () => Promise<Writes>
  /** The last operation of each grant, and its number in flight. Requires ops:read. */
  grantActivity: (grantIds: string[]) => Promise<GrantActivity[]>
  /** A client whose name cannot be read now is named by its id. Requires ops:read. */
  clientNames: (clientIds: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** The audit, newest first, 50 entries at a time. */
  listAudit: (query: AuditQuery) => Promise<AuditPage>
}

export type PageAnswer =
  | { view: Page; status?: number; rights?: PageRights }
  /** After a form, the browser loads the next page by GET. `flash` is a word of lower-case letters and underscores. */
  | { redirectTo: string; flash?: string }
  /** A file, which the browser saves. */
  | { file: { name: string; contentType: string; body: string } }

export type ConsolePage = {
  method: 'GET' | 'POST'
  /** A Fastify path, such as `/ops/operations/:operation_id`. */
  path: string
  scope: OperatorScope
  /**
   * The audit's name for a look at a page that shows data without a call of the API. Calls of the API are in the audit
   * anyway.
   */
  look?: AuditAction
  answer: (request: PageRequest) => Promise<PageAnswer>
}

/** A file that pages load. Everybody may load it and keep it for ever, so its name contains its hash. */
export type Asset = { path: string; contentType: string; body: string }
