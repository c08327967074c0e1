/**
 * The users of the bus: for every NATS user its account, and the subjects that it answers, calls, publishes, hears and consumes.
 * Calls come from their tables (`calls/`). The server's configuration is rendered from this plan in all environments.
 */

import { routes } from '@financial-agents/contract/routes'
import type { AnyRow, ServiceName } from './calls/row.ts'
import { callRows, callsOf } from './calls.ts'
import { streamNames, witnessedPayments } from './streams.ts'

/** The accounts of the server. The gateway is in EDGE; all other users are in CORE. */
export type Account = 'EDGE' | 'CORE'

/** The subjects that a user may send and receive. */
export type UserPlan = {
  account: Account
  /** The subjects that it answers, in the queue group with its own name. */
  answers: readonly string[]
  /** The subjects that it answers without a queue group: every process receives every message. */
  answersAlone?: readonly string[]
  /** The subjects to which it sends requests. */
  calls: readonly string[]
  /** The subjects to which it publishes messages without a reply. */
  publishes: readonly string[]
  /** The subjects that it receives without answering. */
  hears: readonly string[]
  consumes: readonly { stream: string; durable: string }[]
  /** The streams of which it reads single messages. */
  reads?: readonly string[]
  /** The streams of which it removes the messages of a subject. */
  clears?: readonly string[]
  /** If set, the user may create streams and consumers. */
  provisions?: true
}

const silent = { answers: [], calls: [], publishes: [], hears: [], consumes: [] } as const

/** The subjects that a service may send: the rows of these kinds that name it in `askedBy`. */
function sentBy(service: UserName, kinds: readonly AnyRow['kind'][]): string[] {
  const rows = Object.entries(callRows).filter(([, row]) => kinds.includes(row.kind) && row.askedBy.includes(service))
  return rows.map(([subject]) => subject)
}

function heardByAll(service: ServiceName): string[] {
  return Object.entries<AnyRow>(callsOf[service]).flatMap(([subject, row]) => (row.everyReplica ? [subject] : []))
}

/** A service behind the edge. It answers its routes and its calls, and may send the rows that name it. */
function core(service: ServiceName, more: Partial<UserPlan> = {}): UserPlan {
  const accounts = new Set(Object.keys(callsOf[service]).map((subject) => subject.split('.')[0]))
  if (servicesWithRoutes.has(service)) accounts.add('rpc')
  const alone = heardByAll(service)
  return {
    ...silent,
    account: 'CORE',
    answers: ['rpc', 'int'].filter((account) => accounts.has(account)).map((account) => `${account}.${service}.>`),
    ...(alone.length > 0 && { answersAlone: alone }),
    calls: sentBy(service, ['call', 'decision']),
    ...more,
    publishes: [...(more.publishes ?? []), ...sentBy(service, ['notice'])],
  }
}

const servicesWithRoutes: ReadonlySet<string> = new Set(Object.values(routes).map(({ service }) => service))

/** Consumes the stream of events through the durable with the service's own name. */
const eventsAs = (durable: string) => ({ consumes: [{ stream: streamNames.event, durable }] })

/** Keeps its registers in the witness, and hears that a database has lost something. */
const witnesses = { hears: ['witness.*.loss'], reads: [streamNames.witness], clears: [streamNames.witness] }

/** Every user of the bus: one for each service, and the provisioner, which creates the streams. */
export const users: Readonly<Record<UserName, UserPlan>> = {
  gateway: {
    ...silent,
    account: 'EDGE',
    answersAlone: heardByAll('gateway'),
    // `rpc.>` covers every route, and every call behind the edge that names the gateway. Gateways also call each other.
    calls: ['rpc.>', ...Object.keys(callsOf.gateway)],
    publishes: ['edge.counts'],
    hears: ['edge.counts', 'evt.grants'],
  },
  authz: core('authz', { publishes: ['evt.grants'] }),
  operations: core('operations', {
    ...eventsAs('operations'),
    ...witnesses,
    reads: [...witnesses.reads, streamNames.event],
    publishes: ['ops.submit.>', 'ops.event.>', 'witness.operations.>', witnessedPayments],
  }),
  submitter: core('submitter', {
    publishes: ['ops.event.>', 'witness.submitter.>', 'witnessed.ends.>'],
    consumes: [{ stream: streamNames.submit, durable: 'submitter' }],
    ...witnesses,
  }),
  reconciler: core('reconciler', { publishes: ['ops.event.>'], ...eventsAs('reconciler') }),
  beneficiaries: core('beneficiaries', eventsAs('beneficiaries')),
  cards: core('cards', eventsAs('cards')),
  spending: core('spending', eventsAs('spending')),
  onboarding: core('onboarding', eventsAs('onboarding')),
  catalog: core('catalog'),
  notifier: core('notifier', eventsAs('notifier')),
  'ops-console': core('ops-console'),
  provisioner: {
    ...silent,
    account: 'CORE',
    publishes: ['witness.>'],
    calls: sentBy('provisioner', ['call']),
    provisions: true,
  },
}

export type UserName = ServiceName | 'provisioner'

export const userNames = Object.keys(users) as UserName[]
