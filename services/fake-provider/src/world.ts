/** The provider's state, in memory. It ends with the process. */

import { setTimeout as sleep } from 'node:timers/promises'
import { createClock, type MovableClock } from '@financial-agents/runtime/clock'
import { type Approvals, createApprovals } from './approvals.ts'
import { type Connections, createConnections } from './connections.ts'
import { createDeadlines, type Deadlines } from './deadlines.ts'
import { createDeviceAuthentications, type DeviceAuthentications } from './device-authentications.ts'
import { createFaults, type Faults } from './faults.ts'
import { createHeld, type HeldSubmissions } from './held.ts'
import { createHostedSessions, type HostedSessions } from './hosted-sessions.ts'
import { createIdentities, type Identities } from './identities.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { createRecords, type RecordOf, type Records, type Shelf } from './records.ts'
import { createRepeats, type Repeats } from './repeats.ts'
import type { Beneficiary, Card, CardAction, Transfer } from './resources.ts'
import { countUse, type Mandate, type MandateAction } from './resources.ts'
import { createSpendingAccounts, type SpendingAccounts } from './spending-accounts.ts'
import type { Done } from './stateful.ts'

export type World = {
  readonly clock: MovableClock
  readonly deadlines: Deadlines
  readonly faults: Faults
  readonly held: HeldSubmissions
  readonly ledger: Ledger
  readonly records: Records
  readonly repeats: Repeats
  readonly connections: Connections
  readonly spendingAccounts: SpendingAccounts
  readonly identities: Identities
  readonly beneficiaries: Shelf<Beneficiary>
  readonly mandates: Shelf<Mandate>
  readonly transfers: Shelf<Transfer>
  readonly cards: Shelf<Card>
  /** The cards by test user. */
  readonly cardsOf: Map<string, RecordOf<Card>[]>
  readonly cardActions: Shelf<Done<RecordOf<Card>, CardAction>>
  readonly mandateActions: Shelf<Done<RecordOf<Mandate>, MandateAction>>
  readonly connectionActions: Shelf<Done<string, 'revoke'>>
  readonly deviceAuthentications: DeviceAuthentications
  readonly approvals: Approvals
  readonly cardReveals: HostedSessions<RecordOf<Card>>
  readonly identityChecks: HostedSessions<{ readonly returnUrl: string | null }>
  /** Waits for the minimum duration of every call; returns undefined if it is 0. */
  waitLatency(): Promise<void> | undefined
}

const revealLifetimeMs = 2 * 60_000
const identityCheckLifetimeMs = 60 * 60_000

/** The properties of a provider. */
export type Manners = {
  readonly latencyMs: number
  readonly executesRepeats: boolean
  readonly refusesAfterDeadline: boolean
}

export function createWorld({ latencyMs, executesRepeats, refusesAfterDeadline }: Manners): World {
  const clock = createClock()
  const records = createRecords(clock)
  const spendingAccounts = createSpendingAccounts()
  const undo = ({ testUser, amount, mandate }: Transfer): void => {
    spendingAccounts.giveBack(testUser, amount)
    if (mandate !== undefined) countUse(mandate.content, amount, -1)
  }
  return {
    clock,
    deadlines: createDeadlines(clock, refusesAfterDeadline),
    faults: createFaults(),
    held: createHeld(),
    ledger: createLedger(),
    records,
    repeats: createRepeats(executesRepeats),
    connections: createConnections(),
    spendingAccounts,
    identities: createIdentities(clock),
    beneficiaries: records.shelf('ben'),
    mandates: records.shelf('mnd'),
    transfers: records.shelf('trf', undo),
    cards: records.shelf('crd'),
    cardsOf: new Map(),
    cardActions: records.shelf('cac'),
    mandateActions: records.shelf('mac'),
    connectionActions: records.shelf('rvk'),
    deviceAuthentications: createDeviceAuthentications(clock),
    approvals: createApprovals(clock),
    cardReveals: createHostedSessions(clock, 'rvl', revealLifetimeMs),
    identityChecks: createHostedSessions(clock, 'idc', identityCheckLifetimeMs),
    waitLatency: () => (latencyMs === 0 ? undefined : sleep(latencyMs)),
  }
}
