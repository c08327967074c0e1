/**
 * The table "On the bus" in a service's README: every subject that the service answers, sends, hears or consumes, taken
 * from the tables of libs/platform/bus.
 */

import type { Route } from '@financial-agents/contract/route'
import { routes } from '@financial-agents/contract/routes'
import type { AnyRow, ServiceName } from './src/calls/row.ts'
import { callRows, callsOf } from './src/calls.ts'
import { streamPlans } from './src/streams.ts'
import { type UserPlan, users } from './src/topology.ts'

type Line = readonly [subject: string, direction: string, meaning: string]

/** The services with a user on the bus, in the order of their tables. */
const servicesOnTheBus = Object.keys(callsOf) as ServiceName[]

/** Returns the table of one service, with columns as wide as the formatter makes them. */
function subjectsTable(service: ServiceName): string {
  const plan: UserPlan = users[service]
  const lines: Line[] = [
    ...routesOf(service),
    ...Object.entries<AnyRow>(callsOf[service]).map(answered),
    ...sentBy(service),
    ...plan.publishes.filter((subject) => !callRows[subject]).map((subject): Line => [code(subject), 'publishes', '']),
    ...plan.hears.map((subject): Line => [code(subject), 'hears', '']),
    ...plan.consumes.flatMap(({ stream, durable }) => {
      const where = `stream ${code(stream)}, durable ${code(durable)}`
      return subjectsOf(stream, durable).map((subject): Line => [code(subject), 'consumes', where])
    }),
  ]
  return aligned([['Subject', 'Direction', 'Meaning'], ...lines])
}

const code = (text: string) => `\`${text}\``

function routesOf(service: ServiceName): Line[] {
  // Routes of a browser's session are carried as HTTP and have no subject. The gateway answers its own routes itself.
  const own = Object.entries<Route>(routes).filter(([, row]) => row.service === service && !row.browserSession)
  if (service === 'gateway') return [[code('rpc.<service>.<routeName>'), 'calls', 'the routes of the contract']]
  return own.map(([name, row]) => [code(`rpc.${service}.${name}`), 'answers', code(`${row.method} ${row.path}`)])
}

function answered([subject, row]: [string, AnyRow]): Line {
  const direction = `${row.kind === 'notice' ? 'hears' : 'answers'}${row.everyReplica ? ', each replica' : ''}`
  const verb = row.kind === 'notice' ? 'from' : 'for'
  return [code(subject), direction, `${row.meaning} (${verb} ${row.askedBy.join(', ')})`]
}

function sentBy(service: ServiceName): Line[] {
  const rows = Object.entries(callRows).filter(([subject, row]) => row.askedBy.includes(service) && !ownProof(subject))
  return rows.map(([subject, row]) => [code(subject), row.kind === 'notice' ? 'sends' : 'calls', row.meaning])
}

/** Gateways call each other. The table lists such a subject once, as answered. */
const ownProof = (subject: string) => subject in callsOf.gateway

function subjectsOf(stream: string, durable: string): string[] {
  const plans = streamPlans({ replicas: 1 }).find(({ config }) => config.name === stream)?.consumers ?? []
  const consumer = plans.find(({ durable_name }) => durable_name === durable)
  return consumer?.filter_subjects ?? (consumer?.filter_subject === undefined ? [] : [consumer.filter_subject])
}

function aligned(rows: readonly (readonly [string, string, string])[]): string {
  const widths = [0, 1, 2].map((column) => Math.max(3, ...rows.map((row) => (row[column] as string).length)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] as number)).join(' | ')} |`
  const [head = [], ...body] = rows
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n')
}

export const sections = Object.fromEntries(
  servicesOnTheBus.map((service) => [`services/${service}/README.md`, () => subjectsTable(service)]),
)
