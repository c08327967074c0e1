/**
 * Who may say what to whom: every NATS user with its account, what it answers, calls, publishes, hears and consumes.
 * The server's configuration is rendered from it, the same in development, in tests and in production.
 */

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

/** What every area with writes asks. */
const writing = ['int.operations.accept', 'int.operations.verdict', 'int.operations.decide'] as const

/** Every user of the bus: one a service, and one that makes the streams. */
export const users = {
  gateway: {
    ...silent,
    account: 'EDGE',
    answersAlone: ['edge.proof.*'],
    calls: ['rpc.>', 'edge.proof.*'],
    publishes: ['edge.counts'],
    hears: ['edge.counts', 'evt.grants'],
  },
  authz: {
    ...silent,
    account: 'CORE',
    answers: ['rpc.authz.>', 'int.authz.>'],
    calls: [
      'int.onboarding.bindings',
      'int.onboarding.start-sign-in',
      'int.onboarding.finish-sign-in',
      'int.onboarding.may-connect',
      'int.onboarding.connect',
      'int.onboarding.disconnect',
      'int.operations.owner-activity',
      'int.operations.find-intent',
      'int.operations.decide-intent',
      'int.operations.approval-returned',
      'int.beneficiaries.owner-mandates',
      'int.beneficiaries.authorize-mandates',
      'int.submitter.fence',
      'int.submitter.unfence',
    ],
    publishes: ['evt.grants'],
  },
  operations: {
    ...silent,
    account: 'CORE',
    answers: ['rpc.operations.>', 'int.operations.>'],
    calls: [
      'int.authz.owner-clients',
      'int.beneficiaries.find-beneficiary',
      'int.beneficiaries.find-mandate',
      'int.beneficiaries.judge-mandate-create',
      'int.beneficiaries.judge-mandate-revoke',
      'int.onboarding.credentials',
      'int.onboarding.judge-disconnect',
      'int.spending.judge-withdrawal',
    ],
    publishes: ['ops.submit.>', 'ops.event.>', 'int.submitter.confirm', 'int.reconciler.confirm'],
    consumes: [{ stream: 'OPS_EVENT', durable: 'operations' }],
  },
  submitter: {
    ...silent,
    account: 'CORE',
    answers: ['int.submitter.>'],
    // A replica that stands still stays in its queue group; a fence must not wait for it.
    answersAlone: ['int.submitter.fence', 'int.submitter.unfence'],
    calls: ['int.operations.payloads', 'int.onboarding.credentials', 'int.reconciler.late-answer'],
    publishes: ['ops.event.>'],
    consumes: [{ stream: 'OPS_SUBMIT', durable: 'submitter' }],
  },
  reconciler: {
    ...silent,
    account: 'CORE',
    answers: ['int.reconciler.>'],
    calls: ['int.onboarding.credentials'],
    publishes: ['ops.event.>', 'int.submitter.confirm'],
    consumes: [{ stream: 'OPS_EVENT', durable: 'reconciler' }],
  },
  beneficiaries: {
    ...silent,
    account: 'CORE',
    answers: ['rpc.beneficiaries.>', 'int.beneficiaries.>'],
    calls: [
      ...writing,
      'int.onboarding.credentials',
      'int.authz.owner-clients',
      'int.submitter.fence',
      'int.submitter.unfence',
    ],
    consumes: [{ stream: 'OPS_EVENT', durable: 'beneficiaries' }],
  },
  cards: {
    ...silent,
    account: 'CORE',
    answers: ['rpc.cards.>'],
    calls: [...writing, 'int.onboarding.credentials'],
    consumes: [{ stream: 'OPS_EVENT', durable: 'cards' }],
  },
  spending: {
    ...silent,
    account: 'CORE',
    answers: ['rpc.spending.>', 'int.spending.>'],
    calls: [...writing, 'int.onboarding.credentials', 'int.beneficiaries.find-beneficiary'],
    consumes: [{ stream: 'OPS_EVENT', durable: 'spending' }],
  },
  onboarding: {
    ...silent,
    account: 'CORE',
    answers: ['rpc.onboarding.>', 'int.onboarding.>'],
    calls: [
      ...writing,
      'int.operations.unsettled-bindings',
      'int.authz.identity',
      'int.authz.owner-changed',
      'int.submitter.fence',
      'int.submitter.unfence',
    ],
    consumes: [{ stream: 'OPS_EVENT', durable: 'onboarding' }],
  },
  catalog: {
    ...silent,
    account: 'CORE',
    answers: ['rpc.catalog.>'],
    calls: ['int.onboarding.credentials', 'int.beneficiaries.find-beneficiary'],
  },
  notifier: {
    ...silent,
    account: 'CORE',
    answers: ['rpc.notifier.>', 'int.notifier.>'],
    calls: ['int.operations.states', 'int.operations.changed', 'int.authz.active-grants'],
    consumes: [{ stream: 'OPS_EVENT', durable: 'notifier' }],
  },
  'ops-console': {
    ...silent,
    account: 'CORE',
    answers: ['rpc.ops-console.>'],
    calls: [
      'int.operations.find-operations',
      'int.operations.operation-history',
      'int.operations.overview',
      'int.operations.grant-activity',
      'int.reconciler.reviews',
      'int.notifier.operation-deliveries',
      'int.authz.find-grants',
      'int.authz.client-names',
      'int.authz.suspend-grant',
    ],
  },
  provisioner: { ...silent, account: 'CORE', provisions: true },
} as const satisfies Record<string, UserPlan>

/** The name of a user. */
export type UserName = keyof typeof users

/** The names of all users. */
export const userNames = Object.keys(users) as UserName[]
