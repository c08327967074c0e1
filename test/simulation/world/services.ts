/**
 * The services that a seed runs, each through its real `start`. Their times are so short that every timed action
 * happens within a seed. A few lines play the neighbours that are not under test.
 */

import type { Bus } from '@financial-agents/bus/connect'
import { serveCall } from '@financial-agents/bus/rpc'
import type { Database } from '@financial-agents/postgres/database'
import type { RoutedProvider } from '@financial-agents/provider-client/routed'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import { createSealer, sealingKeys } from '@financial-agents/runtime/sealing'
import { beneficiariesConfig } from '../../../services/beneficiaries/src/config.ts'
import { startBeneficiaries } from '../../../services/beneficiaries/src/start.ts'
import { cardsConfig } from '../../../services/cards/src/config.ts'
import { startCards } from '../../../services/cards/src/start.ts'
import { startOnboarding } from '../../../services/onboarding/src/start.ts'
import { operationsConfig } from '../../../services/operations/src/config.ts'
import { startOperations } from '../../../services/operations/src/start.ts'
import { reconcilerConfig } from '../../../services/reconciler/src/config.ts'
import { startReconciler } from '../../../services/reconciler/src/start.ts'
import { spendingConfig } from '../../../services/spending/src/config.ts'
import { startSpending } from '../../../services/spending/src/start.ts'
import { submitterConfig } from '../../../services/submitter/src/config.ts'
import { startSubmitter } from '../../../services/submitter/src/start.ts'
import { beneficiariesModels, beneficiariesTables } from '../statements/beneficiaries.ts'
import { cardsModels, cardsTables } from '../statements/cards.ts'
import { onboardingModels, onboardingTables } from '../statements/onboarding.ts'
import { operationsModels, operationsTables } from '../statements/operations.ts'
import { reconcilerModels, reconcilerTables } from '../statements/reconciler.ts'
import { spendingModels, spendingTables } from '../statements/spending.ts'
import { submitterModels, submitterTables } from '../statements/submitter.ts'
import type { Models } from '../virtual/database.ts'
import type { TablePlan } from '../virtual/tables.ts'
import type { Grants } from './grants.ts'

const key = (byte: number) => Buffer.alloc(32, byte).toString('base64')
const surroundings = {
  NATS_URL: 'nats://none',
  NATS_NKEY_SEED: 'none',
  DATABASE_URL: 'postgres://none',
  PROVIDER_URL: 'http://provider.invalid',
  PUBLIC_BASE_URL: 'https://api.invalid',
  PAYLOAD_KEYS: `k:${key(1)}`,
  CREDENTIAL_KEYS: `k:${key(2)}`,
  REQUEST_HASH_KEY: key(3),
  CURSOR_KEY: key(4),
  ACTIVITY_KEY: key(5),
}

const writesPauses = { BACKGROUND_JOB_PAUSE_MS: '4000', DRAFT_DECIDE_AFTER_MS: '3000', PENDING_PULL_AFTER_MS: '8000' }

const configs = {
  operations: operationsConfig.parse({
    ...surroundings,
    BACKGROUND_JOB_PAUSE_MS: '3500',
    BACKGROUND_JOB_AFTER_MS: '3000',
    BACKGROUND_JOB_LONGEST_MS: '12000',
    APPROVAL_JOB_PAUSE_MS: '10000',
    PROJECT_RETRY_MS: '500',
  }),
  submitter: submitterConfig.parse({
    ...surroundings,
    PROVIDER_TIMEOUT_MS: '2500',
    LEASE_MS: '6000',
    SUBMISSION_VALIDITY_MS: '7000',
    CALL_TIMEOUT_MS: '1500',
    RETRY_AFTER_MS: '500',
    BACKGROUND_JOB_PAUSE_MS: '3500',
    REPUBLISH_AFTER_MS: '1500',
  }),
  reconciler: reconcilerConfig.parse({
    ...surroundings,
    PROVIDER_TIMEOUT_MS: '2500',
    CALL_TIMEOUT_MS: '1500',
    LOCK_MS: '6000',
    DUE_PAUSE_MS: '2500',
    BACKGROUND_JOB_PAUSE_MS: '4000',
    REPUBLISH_AFTER_MS: '1500',
  }),
  beneficiaries: beneficiariesConfig.parse({
    ...surroundings,
    ...writesPauses,
    ENABLED_CAPABILITIES: 'transfers.execute',
  }),
  cards: cardsConfig.parse({ ...surroundings, ...writesPauses }),
  spending: spendingConfig.parse({ ...surroundings, ...writesPauses, ENABLED_CAPABILITIES: 'transfers.execute' }),
}

export const payloadSealer = createSealer(sealingKeys.parse(surroundings.PAYLOAD_KEYS))
export const credentialSealer = createSealer(sealingKeys.parse(surroundings.CREDENTIAL_KEYS))

const onboardingPauses = {
  ANNOUNCE_PAUSE_MS: 5_000,
  PRUNE_PAUSE_MS: 60_000,
  BACKGROUND_JOB_PAUSE_MS: 4_000,
  DRAFT_DECIDE_AFTER_MS: 3_000,
  PENDING_PULL_AFTER_MS: 8_000,
  ERASE_PAUSE_MS: 10_000,
  // Longer than any request can take, with all pauses and delays.
  ERASE_AFTER_MS: 30_000,
  FOLLOW_PAUSE_MS: 60_000,
}

/** The parts that a process gets: virtual ones in place of those that the frame of a service opens. */
export type Opened = { bus: Bus; db: Database; provider: RoutedProvider; clock: Clock; log: Log }

type ServicePlan = {
  /** The lowest and the highest number of replicas. */
  replicas: readonly [number, number]
  tables: Readonly<Record<string, TablePlan>>
  models: Models
  start: (opened: Opened) => unknown
}

/** The services under test. Each `start` is the real one. */
export const services = {
  operations: {
    replicas: [2, 2],
    tables: operationsTables,
    models: operationsModels,
    start: (opened) => startOperations(configs.operations, { ...opened, openPool: () => opened.db }),
  },
  submitter: {
    replicas: [2, 2],
    tables: submitterTables,
    models: submitterModels,
    start: (opened) => startSubmitter(configs.submitter, opened),
  },
  reconciler: {
    replicas: [1, 2],
    tables: reconcilerTables,
    models: reconcilerModels,
    start: (opened) => startReconciler(configs.reconciler, opened),
  },
  beneficiaries: {
    replicas: [2, 2],
    tables: beneficiariesTables,
    models: beneficiariesModels,
    start: (opened) => startBeneficiaries(configs.beneficiaries, opened),
  },
  cards: {
    replicas: [2, 2],
    tables: cardsTables,
    models: cardsModels,
    start: (opened) => startCards(configs.cards, opened),
  },
  spending: {
    replicas: [2, 2],
    tables: spendingTables,
    models: spendingModels,
    start: (opened) => startSpending(configs.spending, opened),
  },
  onboarding: {
    replicas: [1, 1],
    tables: onboardingTables,
    models: onboardingModels,
    start: (opened) =>
      startOnboarding({
        ...opened,
        readTimeoutMs: 2_500,
        payloadSealer,
        sealer: credentialSealer,
        authentication: null,
        pauses: onboardingPauses,
      }),
  },
} as const satisfies Record<string, ServicePlan>

export type ServiceName = keyof typeof services

/** The possible owners, each with the id of their connection. */
export const owners = [1, 2].map((number) => ({
  owner_id: `018f0000-0000-7000-8000-00000000000${number}`,
  binding_id: `018f0000-0000-7000-8000-0000000000b${number}`,
}))

/** The provider's credentials of each owner. */
export const credentials = 'secret'

/** Sealed before any seed begins. Sealing draws random bytes, and no seed may depend on earlier draws. */
export const sealedCredentials = new Map(
  owners.map(({ binding_id }) => [binding_id, credentialSealer.seal(Buffer.from(credentials), binding_id)]),
)

/** Answers requests in place of authz. */
export function playAuthz(bus: Bus, log: Log, grants: Grants): void {
  serveCall(bus, 'int.authz.owner-changed', () => Promise.resolve(null), { log })
  serveCall(
    bus,
    'int.authz.owner-clients',
    ({ owner_id }) =>
      Promise.resolve(
        grants.activeOf(owner_id).map(({ client_id, grant_id, created_at }) => ({
          client_id,
          name: client_id,
          active_grants: [{ grant_id, created_at }],
        })),
      ),
    { log },
  )
}
