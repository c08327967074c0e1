/** Starts the authorization server: its keys, its feed, its application, the calls it answers and its background jobs. */

import type { Bus } from '@financial-agents/bus/connect'
import { capabilityConfiguration } from '@financial-agents/contract/capabilities'
import { readBrandLogo } from '@financial-agents/pages/brand-logo'
import { brandingOf } from '@financial-agents/pages/branding-config'
import { callContext } from '@financial-agents/pages/tunnel/call-context'
import type { Database } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import { createSealer } from '@financial-agents/runtime/sealing'
import type { Running } from '@financial-agents/service/service'
import { serveAnswers } from './answers.ts'
import { createAuthorizationServer } from './authorization-server.ts'
import { startBackgroundJobs } from './background/background-jobs.ts'
import { startFeed } from './background/feed.ts'
import { endsAreKnown } from './background/known-ends.ts'
import type { AuthzConfig } from './config.ts'
import { observeAuthority } from './measure.ts'
import { addPages } from './pages/pages.ts'
import { fetchLogo } from './registration/fetch-logo.ts'
import { createKeySource } from './signing-keys/key-source.ts'

export type Opened = { bus: Bus; db: Database; log: Log; clock: Clock }

export async function startAuthz(config: AuthzConfig, { bus, db, log, clock }: Opened): Promise<Running> {
  // The gateway serves the logo. A file that it would refuse is refused here too, because the pages would show no picture.
  await readBrandLogo(config.BRAND_LOGO_FILE)
  const sealer = createSealer(config.SEALING_KEYS)
  const keys = await createKeySource({ db, sealer, clock, log, pauseMs: config.KEYS_PAUSE_MS })
  const parts = {
    baseUrl: config.PUBLIC_BASE_URL,
    environment: config.ENVIRONMENT,
    languages: config.PAGE_LANGUAGES,
    branding: brandingOf(config),
    dpopNonceKey: config.DPOP_NONCE_KEY,
    pairwiseKey: config.PAIRWISE_KEY,
    sealer,
    db,
    clock,
    log,
  }
  const feed = await startFeed({ bus, db, log, pauseMs: config.FEED_PAUSE_MS })
  const server = await createAuthorizationServer({
    ...parts,
    keys,
    endsAreKnown: (clientId) => endsAreKnown({ bus, db, clock, log, feed }, clientId, callContext().timeoutMs),
    addPages: (app, tools) =>
      addPages(app, {
        ...parts,
        ...tools,
        bus,
        feed,
        providerPagesOrigin: config.PROVIDER_PAGES_ORIGIN,
        signInOrigin: config.SIGN_IN_ORIGIN ?? config.PROVIDER_PAGES_ORIGIN,
      }),
  })
  const { capabilities } = capabilityConfiguration(config)
  serveAnswers({ bus, db, clock, log, feed, app: server.app, keys, capabilities })
  const jobs = startBackgroundJobs(
    { bus, db, clock, log, fetchLogo: (url) => fetchLogo(server.provider(), url) },
    config,
  )
  observeAuthority(db)
  return {
    stop: async () => {
      await Promise.all([feed.stop(), jobs.stop(), keys.stop()])
    },
    close: () => server.app.close(),
  }
}
