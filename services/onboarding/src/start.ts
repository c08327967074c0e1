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
import { startWrites } from '@financial-agents/writes/writes'
import { startAnnouncing } from './announce.ts'
import { listSealedCredentials } from './bindings-store.ts'
import { bindings } from './calls/bindings.ts'
import { answerMayConnect, connect } from './calls/connect.ts'
import { credentials } from './calls/credentials.ts'
import { disconnect } from './calls/disconnect.ts'
import { finishSignIn } from './calls/finish-sign-in.ts'
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
import { createKycReads, type KycParts } from './kyc-reads.ts'
import { startPruning } from './prune.ts'
import type { SignInParts } from './sign-in-parts.ts'

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

export type Parts = SignInParts & {
  bus: Bus
  provider: KycParts['provider']
  /** The time-out of a whole read of the provider. */
  readTimeoutMs: number
  payloadSealer: Pick<Sealer, 'seal'>
  pauses: Pauses
}

export function startOnboarding(parts: Parts): Running {
  const { db, bus, log, clock, payloadSealer, pauses } = parts
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
  const kyc = startKyc(parts)
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
      'int.onboarding.start-sign-in': startSignIn(parts),
      'int.onboarding.finish-sign-in': finishSignIn(parts),
      'int.onboarding.may-connect': answerMayConnect(parts),
      'int.onboarding.connect': connect({ ...parts, announceNow }),
      'int.onboarding.disconnect': disconnect(disconnecting),
      'int.onboarding.find-owner': async ({ reference }) => {
        const provider = parts.authentication?.providerName
        return provider === undefined ? null : readOwnerOfCustomer(db, { provider, reference })
      },
      'int.onboarding.owner-references': ({ owner_ids }) => listReferencesOfOwners(db, owner_ids),
      'int.onboarding.validate-disconnect': ({ principal }) => checkDisconnect(db, principal.owner_id),
    },
    { log },
  )
  const repeated = [
    ...announcing,
    ...kyc.following,
    startPruning({ db, log, clock, pauseMs: pauses.PRUNE_PAUSE_MS }),
    startErasing({ db, bus, log, clock, pauseMs: pauses.ERASE_PAUSE_MS, afterMs: pauses.ERASE_AFTER_MS }),
  ]
  return {
    stop: async () => {
      await Promise.all([writes.stop(), ...repeated.map((each) => each.stop())])
    },
  }
}

function startKyc(parts: Parts) {
  const reader = createProviderReader({
    ...parts,
    credentialSealer: parts.sealer,
    listSealed: (bindingIds) => listSealedCredentials(parts.db, bindingIds),
  })
  const reading = { ...parts, reader }
  const asking = { ...reading, reads: createKycReads(reading) }
  const following = startFollowing({ ...asking, pauseMs: parts.pauses.FOLLOW_PAUSE_MS })
  return {
    following,
    handlers: {
      getKyc: getKyc(asking),
      createKycSession: createKycSession(asking),
      getOnboarding: getOnboarding(parts),
    },
  }
}
