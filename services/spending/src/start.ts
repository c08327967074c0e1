/** Wires the service: the routes that it answers, the events that it consumes, the background jobs that it repeats. */

import { spendingCalls } from '@financial-agents/bus/calls/spending'
import { serveRoutes } from '@financial-agents/bus/rpc'
import { serveCalls } from '@financial-agents/bus/serve-calls'
import { createCursors } from '@financial-agents/contract/cursor'
import { accountsRoutes } from '@financial-agents/contract/routes/accounts'
import { activityRoutes } from '@financial-agents/contract/routes/activity'
import { spendingRoutes } from '@financial-agents/contract/routes/spending'
import { createReferenceIds } from '@financial-agents/postgres/reference-ids'
import { createActivityPages } from '@financial-agents/provider-client/activity-pages'
import { createActivityView } from '@financial-agents/provider-client/activity-view'
import { createOffers } from '@financial-agents/provider-client/offers'
import { createPortRead } from '@financial-agents/provider-client/port-read'
import { createProviderReader, type ProviderReader } from '@financial-agents/provider-client/reader'
import type { Provider } from '@financial-agents/provider-port/port'
import { createSealer } from '@financial-agents/runtime/sealing'
import type { Running } from '@financial-agents/service/service'
import { startWrites } from '@financial-agents/writes/start-writes'
import type { z } from 'zod'
import { createAccountReads } from './accounts/account-reads.ts'
import type { spendingConfig } from './config.ts'
import type { Dependencies } from './dependencies.ts'
import { checkWithdrawal } from './handlers/checkWithdrawal.ts'
import { createWithdrawal } from './handlers/createWithdrawal.ts'
import { getAccount } from './handlers/getAccount.ts'
import { getSpendingAccount } from './handlers/getSpendingAccount.ts'
import { getWithdrawalLimits } from './handlers/getWithdrawalLimits.ts'
import { listAccounts } from './handlers/listAccounts.ts'
import { listActivity } from './handlers/listActivity.ts'
import { validateWithdrawal } from './validate-withdrawal.ts'
import { transfer } from './withdrawal-write.ts'

type Config = Pick<
  z.output<typeof spendingConfig>,
  | 'ENABLED_CAPABILITIES'
  | 'PROVIDER_READ_TIMEOUT_MS'
  | 'PAYLOAD_KEYS'
  | 'CREDENTIAL_KEYS'
  | 'CURSOR_KEY'
  | 'ACTIVITY_KEY'
  | 'BACKGROUND_JOB_PAUSE_MS'
  | 'DRAFT_DECIDE_AFTER_MS'
  | 'PENDING_PULL_AFTER_MS'
>

/** Entries kept in memory. */
const maxAccountIds = 100_000

export type Opened = Pick<Dependencies, 'bus' | 'db' | 'log' | 'clock'> & { provider: Provider }

export function startSpending(config: Config, opened: Opened): Running {
  const reader = createProviderReader({
    ...opened,
    credentialSealer: createSealer(config.CREDENTIAL_KEYS),
    readTimeoutMs: config.PROVIDER_READ_TIMEOUT_MS,
  })
  const writes = startWrites({
    ...opened,
    offers: createOffers(opened.provider, reader),
    area: 'spending',
    kinds: { transfer },
    draftDecideAfterMs: config.DRAFT_DECIDE_AFTER_MS,
    pendingPullAfterMs: config.PENDING_PULL_AFTER_MS,
    backgroundJobPauseMs: config.BACKGROUND_JOB_PAUSE_MS,
  })
  const dependencies: Dependencies = { ...opened, writes, ...readsOf(opened, reader), ...ownOf(config) }
  const { log } = opened
  serveRoutes(
    opened.bus,
    accountsRoutes,
    {
      listAccounts: listAccounts(dependencies),
      getAccount: getAccount(dependencies),
      getWithdrawalLimits: getWithdrawalLimits(dependencies),
    },
    { log },
  )
  serveRoutes(opened.bus, activityRoutes, { listActivity: listActivity(dependencies) }, { log })
  serveRoutes(
    opened.bus,
    spendingRoutes,
    {
      getSpendingAccount: getSpendingAccount(dependencies),
      createWithdrawal: createWithdrawal(dependencies),
      checkWithdrawal: checkWithdrawal(dependencies),
    },
    { log },
  )
  serveCalls(
    opened.bus,
    spendingCalls,
    {
      'int.spending.validate-withdrawal': async ({ body }, caller) =>
        void (await validateWithdrawal(dependencies, body, caller)),
    },
    { log },
  )
  return { stop: () => writes.stop() }
}

function readsOf(opened: Opened, reader: ProviderReader) {
  const given = { ...opened, reader }
  return {
    accountReads: createAccountReads({
      ...given,
      ids: createReferenceIds({ ...opened, table: 'accounts', maxKept: maxAccountIds }),
    }),
    limitsRead: createPortRead(given, 'withdrawalLimits'),
    activityRead: createPortRead(given, 'activity'),
    spendingAccountRead: createPortRead(given, 'spendingAccount'),
  }
}

function ownOf(config: Config) {
  const cursors = createCursors(config.CURSOR_KEY)
  return {
    cursors,
    activityPages: createActivityPages({ cursors, activityKey: config.ACTIVITY_KEY }),
    activityView: createActivityView(config.ACTIVITY_KEY),
    enabledCapabilities: config.ENABLED_CAPABILITIES,
    payloadSealer: createSealer(config.PAYLOAD_KEYS),
  }
}
