/** Wires the service: the routes that it answers, the events that it consumes, the background jobs that it repeats. */

import { beneficiariesCalls } from '@financial-agents/bus/calls/beneficiaries'
import { serveRoutes } from '@financial-agents/bus/rpc'
import { serveCalls } from '@financial-agents/bus/serve-calls'
import { createCursors } from '@financial-agents/contract/cursor'
import { beneficiariesRoutes } from '@financial-agents/contract/routes/beneficiaries'
import { mandatesRoutes } from '@financial-agents/contract/routes/mandates'
import { createOffers } from '@financial-agents/provider-client/offers'
import { createProviderReader } from '@financial-agents/provider-client/reader'
import type { Provider } from '@financial-agents/provider-port/port'
import { createSealer } from '@financial-agents/runtime/sealing'
import type { Running } from '@financial-agents/service/service'
import { startWrites } from '@financial-agents/writes/start-writes'
import type { z } from 'zod'
import { beneficiaryCreate } from './beneficiary-writes.ts'
import { authorizeMandates } from './calls/authorize-mandates.ts'
import { capUse } from './calls/cap-use.ts'
import { answerFindMandate } from './calls/find-mandate.ts'
import { ownerAction } from './calls/owner-action.ts'
import { ownerMandates } from './calls/owner-mandates.ts'
import { ownerNames } from './calls/owner-names.ts'
import { repeatEnd } from './calls/repeat-end.ts'
import { reserveAgain } from './calls/reserve-again.ts'
import type { beneficiariesConfig } from './config.ts'
import type { Dependencies } from './dependencies.ts'
import { checkMandateTransfer } from './handlers/checkMandateTransfer.ts'
import { createBeneficiary } from './handlers/createBeneficiary.ts'
import { createMandate } from './handlers/createMandate.ts'
import { createMandateTransfer } from './handlers/createMandateTransfer.ts'
import { getBeneficiary } from './handlers/getBeneficiary.ts'
import { getMandate } from './handlers/getMandate.ts'
import { getPayoutSchema } from './handlers/getPayoutSchema.ts'
import { getVirtualAccountEconomics } from './handlers/getVirtualAccountEconomics.ts'
import { listAddressCountries } from './handlers/listAddressCountries.ts'
import { listBeneficiaries } from './handlers/listBeneficiaries.ts'
import { listMandates } from './handlers/listMandates.ts'
import { listPayoutSchemas } from './handlers/listPayoutSchemas.ts'
import { revokeMandate } from './handlers/revokeMandate.ts'
import { suspendMandate } from './handlers/suspendMandate.ts'
import { mandateCreate } from './mandates/create.ts'
import { startFences } from './mandates/fences.ts'
import { mandateRevoke } from './mandates/revoke.ts'
import { mandateSuspend } from './mandates/suspend.ts'
import { mandateTransfer } from './mandates/transfer.ts'
import { checkRevocation } from './mandates/validate-action.ts'
import { validateCreation } from './mandates/validate-creation.ts'
import { createProviderReads } from './provider-reads.ts'
import { findSettledBeneficiary } from './settled-beneficiaries.ts'

type Config = Pick<
  z.output<typeof beneficiariesConfig>,
  | 'PROVIDER_READ_TIMEOUT_MS'
  | 'PAYLOAD_KEYS'
  | 'CREDENTIAL_KEYS'
  | 'CURSOR_KEY'
  | 'BACKGROUND_JOB_PAUSE_MS'
  | 'DRAFT_DECIDE_AFTER_MS'
  | 'PENDING_PULL_AFTER_MS'
  | 'ENABLED_CAPABILITIES'
>

export type Opened = Pick<Dependencies, 'bus' | 'db' | 'log' | 'clock'> & { provider: Provider }

export function startBeneficiaries(config: Config, opened: Opened): Running {
  const reader = createProviderReader({
    ...opened,
    credentialSealer: createSealer(config.CREDENTIAL_KEYS),
    readTimeoutMs: config.PROVIDER_READ_TIMEOUT_MS,
  })
  const writes = startWrites({
    ...opened,
    offers: createOffers(opened.provider, reader),
    area: 'beneficiaries',
    kinds: {
      beneficiary_create: beneficiaryCreate,
      mandate_create: mandateCreate,
      mandate_suspend: mandateSuspend,
      mandate_revoke: mandateRevoke,
      mandate_transfer: mandateTransfer,
    },
    draftDecideAfterMs: config.DRAFT_DECIDE_AFTER_MS,
    pendingPullAfterMs: config.PENDING_PULL_AFTER_MS,
    backgroundJobPauseMs: config.BACKGROUND_JOB_PAUSE_MS,
  })
  const fences = startFences({ ...opened, pauseMs: config.BACKGROUND_JOB_PAUSE_MS })
  const dependencies: Dependencies = {
    ...opened,
    writes,
    fences,
    enabledCapabilities: config.ENABLED_CAPABILITIES,
    providerReads: createProviderReads({ ...opened, reader }),
    cursors: createCursors(config.CURSOR_KEY),
    payloadSealer: createSealer(config.PAYLOAD_KEYS),
  }
  serveRoutes(
    opened.bus,
    beneficiariesRoutes,
    {
      createBeneficiary: createBeneficiary(dependencies),
      listBeneficiaries: listBeneficiaries(dependencies),
      getBeneficiary: getBeneficiary(dependencies),
      listPayoutSchemas: listPayoutSchemas(dependencies),
      getPayoutSchema: getPayoutSchema(dependencies),
      getVirtualAccountEconomics: getVirtualAccountEconomics(dependencies),
      listAddressCountries: listAddressCountries(dependencies),
    },
    { log: opened.log },
  )
  serveRoutes(
    opened.bus,
    mandatesRoutes,
    {
      createMandate: createMandate(dependencies),
      listMandates: listMandates(dependencies),
      getMandate: getMandate(dependencies),
      suspendMandate: suspendMandate(dependencies),
      revokeMandate: revokeMandate(dependencies),
      createMandateTransfer: createMandateTransfer(dependencies),
      checkMandateTransfer: checkMandateTransfer(dependencies),
    },
    { log: opened.log },
  )
  serveOwnCalls(dependencies)
  return {
    stop: async () => {
      await Promise.all([writes.stop(), fences.stop()])
    },
  }
}

function serveOwnCalls(dependencies: Dependencies): void {
  const { bus, log } = dependencies
  serveCalls(
    bus,
    beneficiariesCalls,
    {
      'int.beneficiaries.find-beneficiary': async ({ owner_id, beneficiary_id }) =>
        (await findSettledBeneficiary(dependencies, owner_id, beneficiary_id)) ?? null,
      'int.beneficiaries.find-mandate': answerFindMandate(dependencies),
      'int.beneficiaries.owner-mandates': ownerMandates(dependencies),
      'int.beneficiaries.cap-use': capUse(dependencies),
      'int.beneficiaries.reserve-again': reserveAgain(dependencies),
      'int.beneficiaries.repeat-end': repeatEnd(dependencies),
      'int.beneficiaries.owner-action': ownerAction(dependencies),
      'int.beneficiaries.owner-names': ownerNames(dependencies),
      'int.beneficiaries.authorize-mandates': authorizeMandates(dependencies),
      'int.beneficiaries.validate-mandate-create': async ({ body }, caller) =>
        void (await validateCreation(dependencies, body, caller)),
      'int.beneficiaries.validate-mandate-revoke': ({ params }, caller) =>
        checkRevocation(dependencies, caller, params.mandate_id),
    },
    { log },
  )
}
