/** The provider's state, in memory. It ends with the process. */

import { setTimeout as sleep } from 'node:timers/promises'
import { createClock, type MovableClock } from '@financial-agents/runtime/clock'
import { type Approvals, createApprovals } from './approvals.ts'
import type { Card, CardAction } from './cards.ts'
import { type Connections, createConnections } from './connections.ts'
import { createDeadlines, type Deadlines } from './deadlines.ts'
import { createDeviceAuthentications, type DeviceAuthentications } from './device-authentications.ts'
import { createFaults, type Faults } from './faults.ts'
import { countUse, type Grant, type GrantAction } from './grants.ts'
import { createHeld, type Held } from './held.ts'
import { createHostedSessions, type HostedSessions } from './hosted-sessions.ts'
import { createIdentities, type Identities } from './identities.ts'
import { createLedger, type Ledger } from './ledger.ts'
import type { Payee } from './payees.ts'
import { createPurses, type Purses } from './purses.ts'
import { createRecords, type Kept, type Records, type Shelf } from './records.ts'
import { createRepeats, type Repeats } from './repeats.ts'
import type { Done } from './stateful.ts'
import type { Transfer } from './transfers.ts'

export type World = {
  readonly clock: MovableClock
  readonly deadlines: Deadlines
  readonly faults: Faults
  readonly held: Held
  readonly ledger: Ledger
  readonly records: Records
  readonly repeats: Repeats
  readonly connections: Connections
  readonly purses: Purses
  readonly identities: Identities
  readonly payees: Shelf<Payee>
  readonly grants: Shelf<Grant>
  readonly transfers: Shelf<Transfer>
  readonly cards: Shelf<Card>
  /** The cards by test user. */
  readonly cardsOf: Map<string, Kept<Card>[]>
  readonly cardActions: Shelf<Done<Kept<Card>, CardAction>>
  readonly grantActions: Shelf<Done<Kept<Grant>, GrantAction>>
  readonly connectionActions: Shelf<Done<string, 'withdraw'>>
  readonly deviceAuthentications: DeviceAuthentications
  readonly approvals: Approvals
  readonly cardReveals: HostedSessions<Kept<Card>>
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
  const purses = createPurses()
  const undo = ({ testUser, amount, grant }: Transfer): void => {
    purses.giveBack(testUser, amount)
    if (grant !== undefined) countUse(grant.content, amount, -1)
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
    purses,
    identities: createIdentities(clock),
    payees: records.shelf('ben'),
    grants: records.shelf('tgr'),
    transfers: records.shelf('trf', undo),
    cards: records.shelf('crd'),
    cardsOf: new Map(),
    cardActions: records.shelf('cac'),
    grantActions: records.shelf('gac'),
    connectionActions: records.shelf('wdr'),
    deviceAuthentications: createDeviceAuthentications(clock),
    approvals: createApprovals(clock),
    cardReveals: createHostedSessions(clock, 'rvl', revealLifetimeMs),
    identityChecks: createHostedSessions(clock, 'idc', identityCheckLifetimeMs),
    waitLatency: () => (latencyMs === 0 ? undefined : sleep(latencyMs)),
  }
}
