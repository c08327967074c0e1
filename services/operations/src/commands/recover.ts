/**
 * Opens the system after PostgreSQL has lost something. It shows what is known of the lost time, repeats the ends of authority, reserves
 * lost payments, and lets the services prove their databases anew with a recovery point. It connects to NATS alone, as the provisioner, and may be run
 * again at any time: what was done is not done twice.
 */

import { randomUUID } from 'node:crypto'
import type { Bus } from '@financial-agents/bus/connect'
import type { MessageContext } from '@financial-agents/bus/headers'
import type {
  LostOperation,
  Recovered,
  WitnessedEnd,
  WitnessedPayment,
  WitnessReport,
} from '@financial-agents/bus/messages/witness'
import { readEnds, readEvents, readPayments } from '@financial-agents/bus/read-events'
import { call } from '@financial-agents/bus/rpc'
import { defineCommand, UsageError } from '@financial-agents/runtime/command'
import { busConfig, readConfig } from '@financial-agents/runtime/config'
import { lostOperation } from '../lost-operations.ts'
import { movedNothing } from '../store/transfers.ts'
import { connectProvisioner } from './connect-provisioner.ts'

const context = (): MessageContext => ({
  requestId: randomUUID(),
  traceparent: `00-${randomUUID().replaceAll('-', '')}-${randomUUID().replaceAll('-', '').slice(16)}-01`,
  timeoutMs: 30_000,
})

export const command = defineCommand({
  summary: 'show what PostgreSQL has lost; with --open, make what may have been sent uncertain, and open the system',
  usage: [
    ['recover', 'shows why nothing is written, and the operations of the streams that the database does not know'],
    ['recover --open', 'also repeats ends of authority, reserves lost payments, sets the recovery point, and opens'],
    [
      'recover --open --although-open',
      'does so although nothing is closed: payload keys were lost, or nothing can notice',
    ],
  ],
  options: { open: { type: 'boolean', default: false }, 'although-open': { type: 'boolean', default: false } },
  config: busConfig,
  run: async ({ environment, values }) => {
    const bus = await connectProvisioner(readConfig(busConfig, environment))
    try {
      const reports = await ask(bus)
      if (values.open && !values['although-open'] && reports.every(({ report }) => report === null))
        throw new UsageError(
          'nothing is closed, and a recovery point would make operations uncertain for nothing. If payload keys were lost, or PostgreSQL and JetStream came back from one moment: --although-open',
        )
      const unknown = await findUnknown(bus)
      const shown = [
        ...reports.map(lineOf),
        `${unknown.length} operations of the streams are unknown to the database`,
        ...unknown.map((operation) => JSON.stringify(operation)),
      ]
      return values.open ? [...shown, ...(await open(bus, reports, unknown))] : shown
    } finally {
      await bus.drain()
    }
  },
})

type Asked = { service: string; report: WitnessReport }

async function ask(bus: Bus): Promise<Asked[]> {
  const [operations, submitter] = await Promise.all([
    call(bus, 'int.operations.witness', null, context()),
    call(bus, 'int.submitter.witness', null, context()),
  ])
  return [
    { service: 'operations', report: operations },
    { service: 'submitter', report: submitter },
  ]
}

function lineOf({ service, report }: Asked): string {
  if (report === null) return `${service}: open`
  const { reason, since, from, to, transactions } = report
  const lost = to === null ? '' : `; lost time from ${from ?? 'the beginning'} to ${to}, ${transactions} transactions`
  return `${service}: closed since ${since} (${reason})${lost}`
}

const perCall = 100

function* pagesOf<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let start = 0; start < items.length; start += perCall) yield items.slice(start, start + perCall)
}

/** The operations that the streams name, or named when the loss was found, and the database does not know. */
async function findUnknown(bus: Bus): Promise<LostOperation[]> {
  const recorded = await call(bus, 'int.operations.lost', null, context())
  const named = new Map(recorded?.operations.map((operation) => [operation.operation_id, operation]))
  for await (const transition of readEvents(bus)) named.set(transition.operation_id, lostOperation(transition))
  for (const operation_ids of pagesOf([...named.keys()])) {
    const known = await call(bus, 'int.operations.states', { operation_ids }, context())
    for (const { operation_id } of known) named.delete(operation_id)
  }
  return [...named.values()]
}

/** The fences come first, and the opening last, so that a run that was killed is completed by the next one. */
async function open(bus: Bus, reports: readonly Asked[], unknown: readonly LostOperation[]): Promise<string[]> {
  const ends = (await readEnds(bus)).filter(({ reason }) => reason !== null)
  for (const some of pagesOf(ends)) await call(bus, 'int.submitter.set-ends', { ends: some }, context())
  const repeated: string[] = []
  for (const end of ends) if (await repeatEnd(bus, end)) repeated.push(lineOfEnd(end))
  const reserved = await reserveAgain(bus, await readPayments(bus, startOf(reports)), unknown)
  openedAt(await call(bus, 'int.operations.recover', null, context()), 'operations')
  const recoveryPoint = openedAt(await call(bus, 'int.submitter.recover', null, context()), 'submitter')
  return [...repeated, ...reserved, `open, with the recovery point ${recoveryPoint}`]
}

/** @throws UsageError */
function openedAt(recovered: Recovered, service: string): string {
  if ('refused' in recovered)
    throw new UsageError(`${service} stays closed: ${recovered.refused}. Then run recover again`)
  return recovered.recovery_point
}

const lineOfEnd = ({ target, target_id, reason }: WitnessedEnd) =>
  `${target} ${target_id} had ended (${reason}) and was active again: ended again`

/** Ends an authority at its own service, if that takes it for active. */
async function repeatEnd(bus: Bus, { target, target_id, reason }: WitnessedEnd): Promise<boolean> {
  if (target !== 'grant') return call(bus, repeating[target], { target_id, reason }, context())
  const suspended = {
    grant_id: target_id,
    operator: 'recover',
    reason: 'it had ended in a time that the database lost',
  }
  return (await call(bus, 'int.authz.suspend-grant', suspended, context())).outcome === 'suspended'
}

const repeating = {
  client: 'int.authz.repeat-end',
  binding: 'int.onboarding.repeat-end',
  mandate: 'int.beneficiaries.repeat-end',
} as const

/** Clocks differ, and a payment is logged some time before it is claimed. */
const marginMs = 3_600_000

/** The time from which something may be lost; undefined if nobody knows. */
function startOf(reports: readonly Asked[]): Date | undefined {
  const losses = reports.flatMap(({ report }) => (report?.to ? [report] : []))
  if (losses.length === 0 || losses.some(({ from }) => from === null)) return undefined
  return new Date(Math.min(...losses.map(({ from }) => Date.parse(from as string))) - marginMs)
}

/** Counts lost payments against their limits again, unless the streams say that no money moved. */
async function reserveAgain(
  bus: Bus,
  payments: readonly WitnessedPayment[],
  unknown: readonly LostOperation[],
): Promise<string[]> {
  const ended = unknown.filter(({ state }) => movedNothing.has(state))
  const notMoved = new Set(ended.map(({ operation_id }) => operation_id))
  const reserved: WitnessedPayment[] = []
  for (const some of pagesOf(payments.filter(({ operation_id }) => !notMoved.has(operation_id)))) {
    const lost = await call(bus, 'int.operations.reserve-again', { payments: some }, context())
    if (lost.payments.length === 0) continue
    await call(bus, 'int.beneficiaries.reserve-again', lost, context())
    reserved.push(...lost.payments)
  }
  return [
    `payments of the lost time that count against their limits again: ${reserved.length}`,
    ...reserved.map((payment) => JSON.stringify(payment)),
  ]
}
