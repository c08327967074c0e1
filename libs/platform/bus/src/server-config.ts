/**
 * The nats-server configuration: accounts, one NKEY user per service with explicit lists, JetStream.
 *
 * Accounts are necessary because a requester in the same account may name any reply subject. A responder would then
 * publish to a subject of the requester's choice, even into a stream. CORE exports to EDGE only `rpc.>` and the grant
 * feed.
 */

import { type UserName, type UserPlan, userNames, users } from './topology.ts'

type ServerOptions = {
  publicKeys: Readonly<Record<UserName, string>>
  host: string
  port: number
  monitorPort: number
  storeDir: string
}

function mapValues<Value, Result>(of: Readonly<Record<UserName, Value>>, map: (value: Value) => Result) {
  return Object.fromEntries(userNames.map((name) => [name, map(of[name])])) as Record<UserName, Result>
}

/** The configuration of a single server. The chart's values contain the same accounts. */
export function renderServerConfig(options: ServerOptions): string {
  return [
    `listen: "${options.host}:${options.port}"`,
    `http: "127.0.0.1:${options.monitorPort}"`,
    'server_name: financial-agents',
    'max_payload: 1MB',
    `jetstream { store_dir: "${options.storeDir}", max_file_store: 8GB, max_memory_store: 64MB }`,
    renderAccounts(mapValues(options.publicKeys, (key) => [key])),
  ].join('\n')
}

type AccountsConfig = {
  accounts: Record<string, Readonly<Record<string, unknown>>>
  system_account: string
}

/** The server accepts all keys of a user, so a key can be replaced without an interruption. */
export type PublicKeys = Readonly<Record<UserName, readonly string[]>>

/** Accounts, users and permissions as data, in the server's own names. */
export function accountsConfig(publicKeys: PublicKeys): AccountsConfig {
  const usersOf = (account: string) =>
    userNames
      .filter((name) => users[name].account === account)
      .flatMap((name) => publicKeys[name].map((nkey) => ({ nkey, permissions: allowed(name) })))
  return {
    accounts: {
      CORE: {
        jetstream: 'enabled',
        exports: [
          { service: 'rpc.>', accounts: ['EDGE'] },
          { stream: 'evt.grants', accounts: ['EDGE'] },
        ],
        users: usersOf('CORE'),
      },
      EDGE: {
        imports: [
          { service: { account: 'CORE', subject: 'rpc.>' } },
          { stream: { account: 'CORE', subject: 'evt.grants' } },
        ],
        users: usersOf('EDGE'),
      },
      SYS: { users: [] },
    },
    system_account: 'SYS',
  }
}

function allowed(name: UserName) {
  const { publish, subscribe } = permissions(name)
  return { publish: { allow: publish }, subscribe: { allow: subscribe } }
}

/**
 * A placeholder for a value that the server reads from its environment. `renderAccounts` writes it without quotes, so
 * the server recognises it; a quoted subject that begins with a dollar sign is not replaced.
 */
export function fromEnvironment(variable: string): string {
  return `<< $${variable} >>`
}

/** Renders `accounts` and `system_account` for the server's configuration, which accepts JSON. */
export function renderAccounts(publicKeys: PublicKeys): string {
  return Object.entries(accountsConfig(publicKeys))
    .map(([name, value]) => `${name}: ${JSON.stringify(value, null, 2)}`)
    .join('\n')
    .replace(/"<< (\$\w+) >>"/g, '$1')
}

/** The server's permission lists of a user, derived from its plan. Exported for the tests of the permissions. */
export function permissions(name: UserName): { publish: string[]; subscribe: string[] } {
  const plan: UserPlan = users[name]
  const publish = new Set<string>([...plan.calls, ...plan.publishes])
  const subscribe = new Set<string>([`_INBOX.${name}.>`, ...plan.hears, ...(plan.answersAlone ?? [])])
  for (const subject of plan.answers) subscribe.add(`${subject} ${name}`)
  for (const subject of replySubjects(plan)) publish.add(subject)
  for (const { stream, durable } of plan.consumes) {
    publish.add(`$JS.API.CONSUMER.INFO.${stream}.${durable}`)
    publish.add(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`)
    publish.add(`$JS.ACK.${stream}.${durable}.>`)
  }
  for (const stream of plan.reads ?? []) publish.add(`$JS.API.STREAM.MSG.GET.${stream}`)
  for (const stream of plan.clears ?? []) publish.add(`$JS.API.STREAM.PURGE.${stream}`)
  if (plan.provisions) publish.add('$JS.API.>')
  return { publish: [...publish], subscribe: [...subscribe] }
}

/** Reply subjects: the inboxes of callers in this account, and `_R_` for callers across the account boundary. */
function replySubjects(plan: UserPlan): string[] {
  const answers = [...plan.answers, ...(plan.answersAlone ?? [])]
  if (answers.length === 0) return []
  const callers = userNames.filter((other) => users[other].account === plan.account && callsAny(users[other], answers))
  const inboxes = callers.map((caller) => `_INBOX.${caller}.>`)
  return answers.some((subject) => subject.startsWith('rpc.')) ? [...inboxes, '_R_.>'] : inboxes
}

function callsAny(plan: UserPlan, answers: readonly string[]): boolean {
  return plan.calls.some((call) => answers.some((answer) => overlaps(call, answer)))
}

function overlaps(call: string, answer: string): boolean {
  const prefix = (subject: string) => subject.replace(/[*>].*$/, '')
  return call.startsWith(prefix(answer)) || answer.startsWith(prefix(call))
}
