/** Starts the service: the calls and routes it answers, the events it follows and its background jobs. */

import { onboardingCalls } from '@financial-agents/bus/calls/onboarding'
import type { Bus } from '@financial-agents/bus/connect'
import { serveRoutes } from '@financial-agents/bus/rpc'
import { serveCalls } from '@financial-agents/bus/serve-calls'
import { kycRoutes } from '@financial-agents/contract/routes/kyc'
import { onboardingRoutes } from '@financial-agents/contract/routes/onboarding'
import { createProviderReader } from '@financial-agents/provider-client/reader'
import type { Sealer } from '@financial-agents/runtime/sealing'
import type { Running } from '@financial-agents/service/service'
import { startWrites } from '@financial-agents/writes/start-writes'
import { startAnnouncing } from './announce.ts'
import { listSealedCredentials } from './bindings-store.ts'
import { bindings } from './calls/bindings.ts'
import { answerMayConnect, connect } from './calls/connect.ts'
import { credentials } from './calls/credentials.ts'
import { disconnect } from './calls/disconnect.ts'
import { finishSignIn } from './calls/finish-sign-in.ts'
import { repeatEnd } from './calls/repeat-end.ts'
import { startSignIn } from './calls/start-sign-in.ts'
import { listReferencesOfOwners, readOwnerOfCustomer } from './customers-store.ts'
import { startErasing } from './erase-credentials.ts'
import { startFollowing } from './follow-kyc.ts'
import { checkDisconnect, createGrantRevoke } from './grant-revoke.ts'
import { createKycSession } from './handlers/createKycSession.ts'
import { disconnectService } from './handlers/disconnectService.ts'
import { getKyc } from './handlers/getKyc.ts'
import { getOnboarding } from './handlers/getOnboarding.ts'
import { getServiceConnection } from './handlers/getServiceConnection.ts'
import { createKycReads, type KycDependencies } from './kyc-reads.ts'
import { startPruning } from './prune.ts'
import type { SignInDependencies } from './sign-in-dependencies.ts'

/** The pauses and ages that the service's background jobs use, under the names of their variables. */
export type Pauses = {
  ANNOUNCE_PAUSE_MS: number
  PRUNE_PAUSE_MS: number
  BACKGROUND_JOB_PAUSE_MS: number
  DRAFT_DECIDE_AFTER_MS: number
  PENDING_PULL_AFTER_MS: number
  ERASE_PAUSE_MS: number
  ERASE_AFTER_MS: number
  FOLLOW_PAUSE_MS: number
}

export type Dependencies = SignInDependencies & {
  bus: Bus
  provider: KycDependencies['provider']
  /** The time-out of a whole read of the provider. */
  readTimeoutMs: number
  payloadSealer: Pick<Sealer, 'seal'>
  pauses: Pauses
}

export function startOnboarding(dependencies: Dependencies): Running {
  const { db, bus, log, clock, payloadSealer, pauses } = dependencies
  const grantRevoke = createGrantRevoke(clock)
  const writes = startWrites({
    bus,
    db,
    clock,
    log,
    area: 'onboarding',
    kinds: { transfer_grant_revoke: grantRevoke },
    draftDecideAfterMs: pauses.DRAFT_DECIDE_AFTER_MS,
    pendingPullAfterMs: pauses.PENDING_PULL_AFTER_MS,
    backgroundJobPauseMs: pauses.BACKGROUND_JOB_PAUSE_MS,
  })
  const announcing = startAnnouncing({ db, bus, log, clock, pauseMs: pauses.ANNOUNCE_PAUSE_MS })
  const announceNow = () => {
    for (const job of announcing) job.wake()
  }
  const disconnecting = { db, bus, log, clock, writes, payloadSealer, grantRevoke }
  const kyc = startKyc(dependencies)
  const routes = {
    ...kyc.handlers,
    getServiceConnection: getServiceConnection(db),
    disconnectService: disconnectService(disconnecting),
  }
  serveRoutes(bus, { ...kycRoutes, ...onboardingRoutes }, routes, { log })
  serveCalls(
    bus,
    onboardingCalls,
    {
      'int.onboarding.bindings': bindings(db),
      'int.onboarding.credentials': credentials(db),
      'int.onboarding.start-sign-in': startSignIn(dependencies),
      'int.onboarding.finish-sign-in': finishSignIn(dependencies),
      'int.onboarding.may-connect': answerMayConnect(dependencies),
      'int.onboarding.connect': connect({ ...dependencies, announceNow }),
      'int.onboarding.disconnect': disconnect(disconnecting),
      'int.onboarding.repeat-end': repeatEnd({ db, clock, announceNow }),
      'int.onboarding.find-owner': async ({ reference }) => {
        const provider = dependencies.authentication?.providerName
        return provider === undefined ? null : readOwnerOfCustomer(db, { provider, reference })
      },
      'int.onboarding.owner-references': ({ owner_ids }) => listReferencesOfOwners(db, owner_ids),
      'int.onboarding.validate-disconnect': ({ principal }) => checkDisconnect(db, principal.owner_id),
    },
    { log },
  )
  const repeated = [
    ...announcing,
    kyc.following,
    startPruning({ db, log, clock, pauseMs: pauses.PRUNE_PAUSE_MS }),
    startErasing({ db, bus, log, clock, pauseMs: pauses.ERASE_PAUSE_MS, afterMs: pauses.ERASE_AFTER_MS }),
  ]
  return {
    stop: async () => {
      await Promise.all([writes.stop(), ...repeated.map((each) => each.stop())])
    },
  }
}

function startKyc(dependencies: Dependencies) {
  const reader = createProviderReader({
    ...dependencies,
    credentialSealer: dependencies.sealer,
    listSealed: (bindingIds) => listSealedCredentials(dependencies.db, bindingIds),
  })
  const reading = { ...dependencies, reader }
  const asking = { ...reading, reads: createKycReads(reading) }
  const following = startFollowing({ ...asking, pauseMs: dependencies.pauses.FOLLOW_PAUSE_MS })
  return {
    following,
    handlers: {
      getKyc: getKyc(asking),
      createKycSession: createKycSession(asking),
      getOnboarding: getOnboarding(dependencies),
    },
  }
}
