/**
 * Every metric of every service. Instruments take names, labels and buckets from this table, and `deploy/metrics.md` is
 * generated from it. Alerts and the dashboard may use no other metric. Names follow OpenTelemetry's semantic
 * conventions where these have one.
 *
 * Invariant: the values of a label are a closed set that the code knows. Any other value is reported as `other`.
 */

import { callBuckets, lifeBuckets, type MetricRow, requestBuckets } from './metric-row.ts'

const everyone = 'every service'
const onBus = 'every service on the bus'
const onDatabase = 'every service with a schema'
const askingProvider = 'submitter, reconciler, operations, the areas'
const pool = 'db.client.connection.pool.name'

export const metricTable = {
  'http.server.request.duration': {
    type: 'histogram',
    unit: 's',
    labels: ['http.route', 'http.request.method', 'http.response.status_code'],
    buckets: requestBuckets,
    meaning: 'Requests by route, from their head until the answer is handed to the connection.',
    from: 'gateway',
  },
  'http.server.active_requests': {
    type: 'gauge',
    unit: '{request}',
    labels: [],
    meaning: 'Requests under way.',
    from: 'gateway',
  },
  'financial_agents.gateway.problems': {
    type: 'counter',
    unit: '{response}',
    labels: ['code'],
    meaning: 'Refusals and failures by the code of their problem.',
    from: 'gateway',
  },
  'financial_agents.gateway.limited_requests': {
    type: 'counter',
    unit: '{request}',
    labels: ['limit'],
    meaning: 'Requests beyond the limit of their grant, operator or address.',
    from: 'gateway',
  },
  'financial_agents.gateway.grant_feed_silence': {
    type: 'gauge',
    unit: 's',
    labels: [],
    meaning:
      'Time since the gateway last heard authz. From GRANT_FEED_SILENCE_MS on, every protected request is refused.',
    from: 'gateway',
  },
  'financial_agents.gateway.proof_record_fill': {
    type: 'gauge',
    unit: '1',
    labels: [],
    meaning:
      'The used part of the capacity of the record of used proofs. At 1, proofs are refused (401 `use_dpop_nonce`) rather than forgotten.',
    from: 'gateway',
  },
  'financial_agents.bus.request.duration': {
    type: 'histogram',
    unit: 's',
    labels: ['call', 'outcome'],
    buckets: callBuckets,
    meaning: 'Requests over the bus, measured where they are answered, by route or call.',
    from: onBus,
  },
  'financial_agents.bus.connected': {
    type: 'gauge',
    unit: '{connection}',
    labels: [],
    meaning: '1 while the connection to NATS is up, else 0.',
    from: onBus,
  },
  'financial_agents.witness.closed': {
    type: 'gauge',
    unit: '{service}',
    labels: ['schema', 'reason'],
    meaning: 'Whether the service writes nothing, because it is not proven that its database is the newest, and why.',
    from: 'operations, submitter',
  },
  'financial_agents.stream.refusals': {
    type: 'counter',
    unit: '{message}',
    labels: ['stream'],
    meaning:
      'Refusals of messages. One message a second is checked, and one in ten seconds after a refusal. Refused messages are published again from their rows.',
    from: 'operations, submitter, reconciler',
  },
  'financial_agents.stream.refusing': {
    type: 'gauge',
    unit: '{stream}',
    labels: ['stream'],
    meaning:
      '1 from a refusal until a checked message is accepted, for at most a minute after the last refusal; else 0.',
    from: 'operations, submitter, reconciler',
  },
  'financial_agents.stream.consumer.pending': {
    type: 'gauge',
    unit: '{message}',
    labels: ['stream', 'consumer'],
    meaning: 'Messages that wait for the durable consumer.',
    from: 'submitter, operations, reconciler, notifier, the areas',
  },
  'financial_agents.stream.consumer.ack_pending': {
    type: 'gauge',
    unit: '{message}',
    labels: ['stream', 'consumer'],
    meaning: 'Messages that were delivered and are not acknowledged yet.',
    from: 'submitter, operations, reconciler, notifier, the areas',
  },
  'financial_agents.stream.consumer.redelivered': {
    type: 'gauge',
    unit: '{message}',
    labels: ['stream', 'consumer'],
    meaning: 'Unacknowledged messages that were delivered more than once.',
    from: 'submitter, operations, reconciler, notifier, the areas',
  },
  'db.client.connection.count': {
    type: 'gauge',
    unit: '{connection}',
    labels: [pool, 'db.client.connection.state'],
    meaning: 'Connections to PostgreSQL, `idle` and `used`.',
    from: onDatabase,
  },
  'db.client.connection.max': {
    type: 'gauge',
    unit: '{connection}',
    labels: [pool],
    meaning: 'The maximum number of connections of the pool.',
    from: onDatabase,
  },
  'db.client.connection.pending_requests': {
    type: 'gauge',
    unit: '{request}',
    labels: [pool],
    meaning: 'Statements and transactions that wait for a connection.',
    from: onDatabase,
  },
  'financial_agents.db.failures': {
    type: 'counter',
    unit: '{statement}',
    labels: ['reason'],
    meaning: 'Statements that failed: PostgreSQL out of reach, or the class of its SQLSTATE (23 means a constraint).',
    from: onDatabase,
  },
  'financial_agents.db.commits_unknown': {
    type: 'counter',
    unit: '{transaction}',
    labels: [],
    meaning: 'Transactions whose commit was sent and not answered. They may be committed.',
    from: onDatabase,
  },
  'financial_agents.provider.call.duration': {
    type: 'histogram',
    unit: 's',
    labels: ['call', 'outcome'],
    buckets: callBuckets,
    meaning: 'Calls to the provider, by call and outcome.',
    from: askingProvider,
  },
  'financial_agents.provider.circuit_open': {
    type: 'gauge',
    unit: '{circuit}',
    labels: ['read'],
    meaning: '1 while this process refuses reads of this kind without a call to the provider.',
    from: 'the areas',
  },
  'financial_agents.provider.turned_away': {
    type: 'counter',
    unit: '{call}',
    labels: ['reason'],
    meaning:
      'Reads that this process refused without a call to the provider: the circuit was open, there was no place in time, or no time was left.',
    from: 'the areas',
  },
  'financial_agents.operations.results': {
    type: 'counter',
    unit: '{result}',
    labels: ['kind', 'result'],
    meaning: 'Results on writes: accepted, replayed, or the reason for the refusal.',
    from: 'operations',
  },
  'financial_agents.operations.unresolved': {
    type: 'gauge',
    unit: '{operation}',
    labels: ['kind', 'state'],
    meaning: 'Operations without an outcome, counted up to 50,000. Every replica reports the same figure.',
    from: 'operations',
  },
  'financial_agents.operations.oldest_unresolved_age': {
    type: 'gauge',
    unit: 's',
    labels: ['state'],
    meaning: 'Age of the oldest operation without an outcome, from its creation.',
    from: 'operations',
  },
  'financial_agents.operations.settled': {
    type: 'counter',
    unit: '{operation}',
    labels: ['kind', 'state'],
    meaning: 'Operations that reached a final state.',
    from: 'operations',
  },
  'financial_agents.operations.first_outcome.duration': {
    type: 'histogram',
    unit: 's',
    labels: ['kind', 'state'],
    buckets: lifeBuckets,
    meaning:
      "Time from an operation's acceptance to its first outcome: `submitted`, `indeterminate` or a final state. The owner's approval comes before the acceptance.",
    from: 'operations',
  },
  'financial_agents.operations.final_outcome.duration': {
    type: 'histogram',
    unit: 's',
    labels: ['kind', 'state'],
    buckets: lifeBuckets,
    meaning: "Time from an operation's acceptance to its final state.",
    from: 'operations',
  },
  'financial_agents.db.rows_outside_months': {
    type: 'gauge',
    unit: '{row}',
    labels: [],
    meaning:
      'Rows in the default partitions of the tables that are partitioned by month, counted up to 10,000 for each table.',
    from: 'operations, submitter',
  },
  'financial_agents.operations.parked_transitions': {
    type: 'counter',
    unit: '{transition}',
    labels: ['reason'],
    meaning: 'Transitions that could not be projected and wait for an operator.',
    from: 'operations',
  },
  'financial_agents.outbox.pending': {
    type: 'gauge',
    unit: '{row}',
    labels: ['outbox'],
    meaning:
      'Rows that wait for the confirmation of another party, counted up to 10,000 (grant and mandate fences: 1,000). Every replica reports the same figure.',
    from: 'operations, submitter, reconciler, authz, onboarding, beneficiaries, notifier',
  },
  'financial_agents.outbox.oldest_age': {
    type: 'gauge',
    unit: 's',
    labels: ['outbox'],
    meaning:
      'Waiting time of the oldest of these rows; 0 if none waits. A process counts it for grant and mandate fences from its own first sight of them.',
    from: 'operations, submitter, reconciler, authz, onboarding, beneficiaries, notifier',
  },
  'financial_agents.submitter.claims': {
    type: 'counter',
    unit: '{claim}',
    labels: ['result'],
    meaning:
      'Claims by result. won: the provider is called. decided: it is not. none: claimed before, or cannot be sent now. unclear: tried again.',
    from: 'submitter',
  },
  'financial_agents.submitter.submissions': {
    type: 'counter',
    unit: '{submission}',
    labels: ['kind', 'outcome'],
    meaning: 'Submission attempts by outcome. `uncertain` makes an operation indeterminate.',
    from: 'submitter',
  },
  'financial_agents.submitter.calls_in_flight': {
    type: 'gauge',
    unit: '{call}',
    labels: [],
    meaning: 'Attempts between their claim and their outcome.',
    from: 'submitter',
  },
  'financial_agents.submitter.call_slots': {
    type: 'gauge',
    unit: '{call}',
    labels: [],
    meaning: 'The maximum number of simultaneous calls to the provider (CALL_SLOTS).',
    from: 'submitter',
  },
  'financial_agents.submitter.expired_attempts': {
    type: 'counter',
    unit: '{attempt}',
    labels: [],
    meaning: 'Attempts that the watchdog gave up. Their operations become indeterminate.',
    from: 'submitter',
  },
  'financial_agents.reconciler.reads': {
    type: 'counter',
    unit: '{read}',
    labels: ['result'],
    meaning: 'Reads of operations without an outcome at the provider, by result.',
    from: 'reconciler',
  },
  'financial_agents.reconciler.reads_due': {
    type: 'gauge',
    unit: '{read}',
    labels: [],
    meaning: 'Reads that are due, counted up to 10,000. Every replica reports the same figure.',
    from: 'reconciler',
  },
  'financial_agents.reconciler.oldest_due_age': {
    type: 'gauge',
    unit: 's',
    labels: [],
    meaning: 'Lateness of the oldest due read; 0 if none is due.',
    from: 'reconciler',
  },
  'financial_agents.reconciler.under_review': {
    type: 'gauge',
    unit: '{operation}',
    labels: [],
    meaning: 'Operations under review, because reads alone do not prove their outcome. Counted up to 10,000.',
    from: 'reconciler',
  },
  'financial_agents.authz.grants': {
    type: 'gauge',
    unit: '{grant}',
    labels: ['status'],
    meaning:
      'Grants that are active or suspended. Each status is counted up to 50,000, and the figures are cached for a minute.',
    from: 'authz',
  },
  'financial_agents.authz.events': {
    type: 'counter',
    unit: '{event}',
    labels: ['event'],
    meaning:
      'Entries in the audit of authz, by event: sign-ins, consents, tokens, and changes of grants, clients, mandates and keys.',
    from: 'authz',
  },
  'financial_agents.authz.tokens_issued': {
    type: 'counter',
    unit: '{token}',
    labels: ['grant_type'],
    meaning: 'Access tokens issued, by grant type.',
    from: 'authz',
  },
  'financial_agents.authz.signing_key_age': {
    type: 'gauge',
    unit: 's',
    labels: [],
    meaning: 'Time for which the current signing key of access tokens has been in use.',
    from: 'authz',
  },
  'financial_agents.webhooks.attempts': {
    type: 'counter',
    unit: '{attempt}',
    labels: ['outcome'],
    meaning: 'Attempts to deliver a webhook.',
    from: 'notifier',
  },
  'financial_agents.webhooks.owner_event_attempts': {
    type: 'counter',
    unit: '{attempt}',
    labels: ['outcome'],
    meaning: "Attempts to deliver an event of an owner to the operator's platform.",
    from: 'notifier',
  },
  'financial_agents.webhooks.disabled_subscriptions': {
    type: 'counter',
    unit: '{subscription}',
    labels: [],
    meaning: 'Subscriptions that were disabled: the receiver answered 410, or failed for too long.',
    from: 'notifier',
  },
  'financial_agents.console.actions': {
    type: 'counter',
    unit: '{action}',
    labels: ['action'],
    meaning: 'Actions and views of operators, as the audit of the console records them.',
    from: 'ops-console',
  },
  'financial_agents.background_job.failures': {
    type: 'counter',
    unit: '{run}',
    labels: ['background_job'],
    meaning: 'Failed runs of a background job. The next run still follows.',
    from: everyone,
  },
  'financial_agents.metrics.reading_failures': {
    type: 'counter',
    unit: '{reading}',
    labels: ['reading'],
    meaning: 'Readings that failed or took too long during a scrape. Their figures are missing from it.',
    from: everyone,
  },
  'financial_agents.process.event_loop_utilization': {
    type: 'gauge',
    unit: '1',
    labels: [],
    meaning: 'Part of the time since the last collection in which the event loop was busy.',
    from: everyone,
  },
  'financial_agents.process.resident_memory': {
    type: 'gauge',
    unit: 'By',
    labels: [],
    meaning: 'Resident memory of the process.',
    from: everyone,
  },
  'financial_agents.build': {
    type: 'gauge',
    unit: '{process}',
    labels: ['version'],
    meaning: '1 for each process, with its version.',
    from: everyone,
  },
} as const satisfies Readonly<Record<string, MetricRow>>

type Table = typeof metricTable

export type MetricName = keyof Table

export type NameOf<Type extends MetricRow['type']> = {
  [Name in MetricName]: Table[Name]['type'] extends Type ? Name : never
}[MetricName]

export type LabelsOf<Name extends MetricName> = Readonly<Record<Table[Name]['labels'][number], string>>
