/** The dependencies of the pages. */

import type { Bus } from '@financial-agents/bus/connect'
import type { Environment } from '@financial-agents/owner-pages/view'
import type { Branding } from '@financial-agents/pages/branding'
import type { FormTokens } from '@financial-agents/pages/tunnel/form-token'
import type { RouteTable } from '@financial-agents/pages/tunnel/route-table'
import type { Database } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import type { Sealer } from '@financial-agents/runtime/sealing'
import type { Feed } from '../background/feed.ts'
import type { BrowserSessions } from '../browser/browser-session.ts'
import type { SignIns } from '../browser/sign-ins.ts'
import type { Interactions } from '../provider/interaction.ts'
import type { OwnerDecisions } from '../provider/owner-decisions.ts'
import type { AuditEntry } from '../store/audit.ts'
import type { Faces } from './faces.ts'
import type { Readers } from './readers.ts'

/** The dependencies that the application provides. */
export type PagesDependencies = {
  interactions: Interactions
  decisions: OwnerDecisions
  sessions: BrowserSessions
  /** The methods of every path that the application answers. */
  methodsOf: RouteTable['methodsOf']
  bus: Bus
  feed: Pick<Feed, 'publishNow'>
  db: Database
  sealer: Sealer
  clock: Clock
  log: Log
  audit: (entry: AuditEntry) => Promise<void>
  baseUrl: string
  environment: Environment
  /** The look of the installation. */
  branding?: Branding | undefined
  faces: Faces
  readers: Readers
  pairwiseKey: Buffer
  /** The key from which the key of form tokens is derived. */
  dpopNonceKey: Buffer
  /** The origin of the provider's hosted pages; undefined if it has none. */
  providerPagesOrigin: string | undefined
  /** The origin at which owners sign in; undefined if nobody can sign in. */
  signInOrigin: string | undefined
}

/** The object that a form token is bound to. `interaction` is an authorization under way, which has a cookie of its own. */
export type CsrfOwner = 'session' | 'browser' | 'interaction'

/** The application's parts, and the dependencies that the pages make from them. */
export type PageTools = PagesDependencies & { signIns: SignIns; csrf: FormTokens<CsrfOwner> }
