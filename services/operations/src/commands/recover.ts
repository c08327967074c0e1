/**
 * Opens the system after PostgreSQL has lost something. It shows what is known of the lost time, sets the ends of authority again, and
 * lets the services prove their databases anew with a recovery point. It connects to NATS alone, as the provisioner, and may be run
 * again at any time: what was done is not done twice.
 */

import { randomUUID } from 'node:crypto'
import type { Bus } from '@financial-agents/bus/connect'
import type { MessageContext } from '@financial-agents/bus/headers'
import type { Recovered, WitnessedEnd, WitnessReport } from '@financial-agents/bus/messages/witness'
import { readEnds, readEvents } from '@financial-agents/bus/read-events'
import { call } from '@financial-agents/bus/rpc'
import { defineCommand, UsageError } from '@financial-agents/runtime/command'
import { busConfig, readConfig } from '@financial-agents/runtime/config'
import { lostOperation } from '../lost-operations.ts'
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
    ['recover --open', 'also sets the ends of authority again, sets the recovery point, and opens the system'],
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
      const shown = [...reports.map(lineOf), ...(await listUnknown(bus))]
      return values.open ? [...shown, ...(await open(bus))] : shown
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

/** The operations that the streams name, or named when the loss was found, and the database does not know, one JSON object a line. */
async function listUnknown(bus: Bus): Promise<string[]> {
  const recorded = await call(bus, 'int.operations.lost', null, context())
  const named = new Map(recorded?.operations.map((operation) => [operation.operation_id, operation]))
  for await (const transition of readEvents(bus)) named.set(transition.operation_id, lostOperation(transition))
  const ids = [...named.keys()]
  for (let start = 0; start < ids.length; start += perCall) {
    const operation_ids = ids.slice(start, start + perCall)
    const known = await call(bus, 'int.operations.states', { operation_ids }, context())
    for (const { operation_id } of known) named.delete(operation_id)
  }
  return [
    `${named.size} operations of the streams are unknown to the database`,
    ...Array.from(named.values(), (operation) => JSON.stringify(operation)),
  ]
}

/** The fences come first, and the opening last, so that a run that was killed is completed by the next one. */
async function open(bus: Bus): Promise<string[]> {
  const ends = await readEnds(bus)
  const lost = await setEnds(bus, ends)
  const others = lost.filter(({ target, reason }) => target !== 'grant' && reason !== null)
  const suspended: string[] = []
  for (const end of ends)
    if (end.target === 'grant' && end.reason !== null) suspended.push(...(await suspendAgain(bus, end)))
  openedAt(await call(bus, 'int.operations.recover', null, context()), 'operations')
  const recoveryPoint = openedAt(await call(bus, 'int.submitter.recover', null, context()), 'submitter')
  return [
    ...suspended,
    ...others.map((end) => `${lineOfEnd(end)}; repeat its end where it was made`),
    `open, with the recovery point ${recoveryPoint}`,
  ]
}

/** @throws UsageError */
function openedAt(recovered: Recovered, service: string): string {
  if ('refused' in recovered)
    throw new UsageError(`${service} stays closed: ${recovered.refused}. Then run recover again`)
  return recovered.recovery_point
}

const lineOfEnd = ({ target, target_id, reason }: WitnessedEnd) =>
  `${target} ${target_id} had ended (${reason}): nothing is sent under it`

/** Sets the ends that the submitter has lost, and returns them. */
async function setEnds(bus: Bus, ends: readonly WitnessedEnd[]): Promise<WitnessedEnd[]> {
  const lost: WitnessedEnd[] = []
  for (let start = 0; start < ends.length; start += perCall) {
    const some = { ends: ends.slice(start, start + perCall) }
    lost.push(...(await call(bus, 'int.submitter.set-ends', some, context())).ends)
  }
  return lost
}

/** Suspends a grant at authz that had ended, if authz takes it for active. */
async function suspendAgain(bus: Bus, end: WitnessedEnd): Promise<string[]> {
  const { target_id } = end
  const suspended = {
    grant_id: target_id,
    operator: 'recover',
    reason: 'it had ended in a time that the database lost',
  }
  const { outcome } = await call(bus, 'int.authz.suspend-grant', suspended, context())
  return outcome === 'suspended' ? [`${lineOfEnd(end)}; at authz: ${outcome}`] : []
}
