/**
 * Who may say what to whom: every NATS user with its account, what it answers, calls, publishes, hears and consumes. Calls come from
 * their tables (`calls/`). The server's configuration is rendered from it, the same in development, in tests and in production.
 */

import { routes } from '@financial-agents/contract/routes'
import type { AnyRow, ServiceName } from './calls/row.ts'
import { callRows, callsOf } from './calls.ts'
import { streamNames } from './streams.ts'

/** The accounts of the server: the edge, and everything behind it. */
export type Account = 'EDGE' | 'CORE'

/** What one user may say and hear. */
export type UserPlan = {
  account: Account
  /** Subjects it answers, in the queue group of its own name. */
  answers: readonly string[]
  /** Subjects it answers without a queue group: each process its own. */
  answersAlone?: readonly string[]
  /** Subjects it sends requests to. */
  calls: readonly string[]
  /** Subjects it publishes without expecting a reply. */
  publishes: readonly string[]
  /** Subjects it listens to. */
  hears: readonly string[]
  /** Durable consumers it pulls from. */
  consumes: readonly { stream: string; durable: string }[]
  /** May create streams and consumers. */
  provisions?: true
}

const silent = { answers: [], calls: [], publishes: [], hears: [], consumes: [] } as const

/** The calls or notices that a service may send: the rows that name it. */
function sentBy(service: ServiceName, kinds: readonly AnyRow['kind'][]): string[] {
  const rows = Object.entries(callRows).filter(([, row]) => kinds.includes(row.kind) && row.askedBy.includes(service))
  return rows.map(([subject]) => subject)
}

/** The rows of a service that every replica hears. */
function heardByAll(service: ServiceName): string[] {
  return Object.entries<AnyRow>(callsOf[service]).flatMap(([subject, row]) => (row.everyReplica ? [subject] : []))
}

/** A service behind the edge: it answers its routes and its calls, and sends those whose rows name it. */
function core(service: ServiceName, more: Partial<UserPlan> = {}): UserPlan {
  const accounts = new Set(Object.keys(callsOf[service]).map((subject) => subject.split('.')[0]))
  if (servicesWithRoutes.has(service)) accounts.add('rpc')
  const alone = heardByAll(service)
  return {
    ...silent,
    account: 'CORE',
    answers: ['rpc', 'int'].filter((account) => accounts.has(account)).map((account) => `${account}.${service}.>`),
    ...(alone.length > 0 && { answersAlone: alone }),
    calls: sentBy(service, ['call', 'judgement']),
    ...more,
    publishes: [...(more.publishes ?? []), ...sentBy(service, ['notice'])],
  }
}

const servicesWithRoutes: ReadonlySet<string> = new Set(Object.values(routes).map(({ service }) => service))

/** Consumes the stream of events as the durable of the service's own name. */
const eventsAs = (durable: string) => ({ consumes: [{ stream: streamNames.event, durable }] })

/** Every user of the bus: one a service, and one that makes the streams. */
export const users: Readonly<Record<UserName, UserPlan>> = {
  gateway: {
    ...silent,
    account: 'EDGE',
    answersAlone: heardByAll('gateway'),
    // Every route, and the calls behind the edge that name it.
    calls: ['rpc.>', ...Object.keys(callsOf.gateway)],
    publishes: ['edge.counts'],
    hears: ['edge.counts', 'evt.grants'],
  },
  authz: core('authz', { publishes: ['evt.grants'] }),
  operations: core('operations', { publishes: ['ops.submit.>', 'ops.event.>'], ...eventsAs('operations') }),
  submitter: core('submitter', {
    publishes: ['ops.event.>'],
    consumes: [{ stream: streamNames.submit, durable: 'submitter' }],
  }),
  reconciler: core('reconciler', { publishes: ['ops.event.>'], ...eventsAs('reconciler') }),
  beneficiaries: core('beneficiaries', eventsAs('beneficiaries')),
  cards: core('cards', eventsAs('cards')),
  spending: core('spending', eventsAs('spending')),
  onboarding: core('onboarding', eventsAs('onboarding')),
  catalog: core('catalog'),
  notifier: core('notifier', eventsAs('notifier')),
  'ops-console': core('ops-console'),
  provisioner: { ...silent, account: 'CORE', provisions: true },
}

/** The name of a user. */
export type UserName = ServiceName | 'provisioner'

/** The names of all users. */
export const userNames = Object.keys(users) as UserName[]
