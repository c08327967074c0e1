/**
 * The Grafana dashboard as a table of its panels, each with its title and queries. Data source and namespace are
 * variables. No id belongs to a particular Grafana.
 */

import { burnRates, gatewayErrors, objectives, percent, ratioOf } from './objectives/table.ts'

/** `legend` names a series by its labels. */
type PanelRow = {
  title: string
  description: string
  unit: 's' | 'reqps' | 'ops' | 'short' | 'percentunit'
  kind?: 'timeseries' | 'stat' | 'bargauge'
  queries: readonly (readonly [legend: string, expression: string])[]
  /** The threshold above which the panel is highlighted. */
  warnFrom?: number
}

type DashboardRow = { title: string; panels: readonly PanelRow[] }

const here = 'namespace=~"$namespace"'
const requests = (more = '') => `http_server_request_duration_seconds_count{${here}${more}, http_route=~"$route"}`
const quantile = (q: number, by: string) =>
  `histogram_quantile(${q}, sum by (le${by}) (rate(http_server_request_duration_seconds_bucket{${here}, http_route=~"$route"}[$__rate_interval])))`
const highest = (by: string, metric: string, more = '') => `max by (${by}) (${metric}{${here}${more}})`
const rate = (by: string, metric: string, more = '') =>
  `sum by (${by}) (rate(${metric}{${here}${more}}[$__rate_interval]))`

const outcomeQuantile = (which: 'first' | 'final') =>
  `histogram_quantile(0.95, sum by (le, kind) (rate(financial_agents_operations_${which}_outcome_duration_seconds_bucket{${here}}[$__rate_interval])))`

const rows: readonly DashboardRow[] = [
  {
    title: "The customers' view",
    panels: [
      {
        title: 'Requests by route',
        description: 'Per second, the busiest fifteen.',
        unit: 'reqps',
        queries: [['{{http_route}}', `topk(15, sum by (http_route) (rate(${requests()}[$__rate_interval])))`]],
      },
      {
        title: 'Failures by route',
        description: `5xx as a share of the requests of the route. The budget is ${percent(gatewayErrors.budget)} in all.`,
        unit: 'percentunit',
        warnFrom: gatewayErrors.budget,
        queries: [
          [
            '{{http_route}}',
            `sum by (http_route) (rate(${requests(', http_response_status_code=~"5.."')}[$__rate_interval])) / sum by (http_route) (rate(${requests()}[$__rate_interval]))`,
          ],
        ],
      },
      {
        title: 'Duration by route',
        description: '95th percentile.',
        unit: 's',
        warnFrom: 0.5,
        queries: [['{{http_route}}', quantile(0.95, ', http_route')]],
      },
      {
        title: 'Duration',
        description: 'Of all requests.',
        unit: 's',
        queries: [
          ['p50', quantile(0.5, '')],
          ['p95', quantile(0.95, '')],
          ['p99', quantile(0.99, '')],
        ],
      },
      {
        title: 'Problems by code',
        description: 'What clients are answered, refusals of their own requests included.',
        unit: 'reqps',
        queries: [['{{code}}', rate('code', 'financial_agents_gateway_problems_total')]],
      },
      {
        title: 'Budgets, how fast they are spent',
        description: `1 spends the month in a month. ${burnRates.map(({ severity, factor, long }) => `From ${factor} over ${long}: ${severity}`).join('. ')}.`,
        unit: 'short',
        warnFrom: Math.min(...burnRates.map(({ factor }) => factor)),
        queries: objectives.flatMap((objective) =>
          burnRates.map(({ long }): [string, string] => [
            `${objective.budgetOf}, ${long}`,
            `${ratioOf(objective, long)}{${here}} / ${objective.budget}`,
          ]),
        ),
      },
    ],
  },
  {
    title: 'Writes',
    panels: [
      {
        title: 'Operations without an outcome, by state',
        description: 'As they stand now.',
        unit: 'short',
        queries: [
          ['{{state}}', `sum by (state) (max by (state, kind) (financial_agents_operations_unresolved{${here}}))`],
        ],
      },
      {
        title: 'Oldest operation without an outcome, by state',
        description: 'Submitted ones may rest for days with a provider; indeterminate ones may not.',
        unit: 's',
        queries: [['{{state}}', highest('state', 'financial_agents_operations_oldest_unresolved_age_seconds')]],
      },
      {
        title: 'Outcomes',
        description: 'Operations that came to a final state, per second.',
        unit: 'ops',
        queries: [['{{state}}', rate('state', 'financial_agents_operations_settled_total')]],
      },
      {
        title: 'Time to the first outcome, 95th percentile',
        description: 'From acceptance until submitted, indeterminate or final.',
        unit: 's',
        warnFrom: 10,
        queries: [['{{kind}}', outcomeQuantile('first')]],
      },
      {
        title: 'Time to the final state, 95th percentile',
        description: 'From acceptance. Payments take as long as the network of the provider.',
        unit: 's',
        queries: [['{{kind}}', outcomeQuantile('final')]],
      },
      {
        title: 'Results on writes',
        description: 'Accepted, replayed, or why not.',
        unit: 'ops',
        queries: [['{{result}}', rate('result', 'financial_agents_operations_results_total')]],
      },
      {
        title: 'Submissions by what is certain',
        description: 'Uncertain ones become indeterminate. Expired attempts were given up by the watchdog.',
        unit: 'ops',
        queries: [
          ['{{outcome}}', rate('outcome', 'financial_agents_submitter_submissions_total')],
          ['expired', rate('namespace', 'financial_agents_submitter_expired_attempts_total')],
        ],
      },
      {
        title: 'Writes closed, by reason',
        description: '1 while the service writes nothing, because its database is not proven to be the newest.',
        unit: 'short',
        warnFrom: 1,
        queries: [['{{schema}} {{reason}}', highest('schema, reason', 'financial_agents_witness_closed')]],
      },
      {
        title: 'Under review, and reads that are due',
        description: "An operator has to look at the first; the second are the reconciler's own work.",
        unit: 'short',
        queries: [
          ['under review', highest('namespace', 'financial_agents_reconciler_under_review')],
          ['reads due', highest('namespace', 'financial_agents_reconciler_reads_due')],
        ],
      },
      {
        title: 'Reads of the reconciler',
        description: 'What the provider said about operations without an outcome.',
        unit: 'ops',
        queries: [['{{result}}', rate('result', 'financial_agents_reconciler_reads_total')]],
      },
      {
        title: 'Calls of the submitter under way',
        description: 'Of the calls that it may have under way. Nothing is claimed without a free one.',
        unit: 'percentunit',
        warnFrom: 0.9,
        queries: [
          [
            '{{pod}}',
            `max by (pod) (financial_agents_submitter_calls_in_flight{${here}} / financial_agents_submitter_call_slots{${here}})`,
          ],
        ],
      },
    ],
  },
  {
    title: 'Plumbing',
    panels: [
      {
        title: 'Outboxes: oldest row',
        description: 'How long what happened waits to be confirmed by whoever has to know it.',
        unit: 's',
        warnFrom: 60,
        queries: [
          [
            '{{service_name}} {{outbox}}',
            highest('service_name, outbox', 'financial_agents_outbox_oldest_age_seconds'),
          ],
        ],
      },
      {
        title: 'Outboxes: rows',
        description: 'Counted up to 10,000.',
        unit: 'short',
        queries: [['{{service_name}} {{outbox}}', highest('service_name, outbox', 'financial_agents_outbox_pending')]],
      },
      {
        title: 'Streams: messages that wait',
        description: 'By durable consumer.',
        unit: 'short',
        warnFrom: 500,
        queries: [['{{consumer}}', highest('stream, consumer', 'financial_agents_stream_consumer_pending')]],
      },
      {
        title: 'Streams: refusals, and messages that came again',
        description: 'A refusal means a full stream or no quorum.',
        unit: 'short',
        queries: [
          ['{{stream}} refuses', highest('stream', 'financial_agents_stream_refusing')],
          ['{{consumer}} again', highest('consumer', 'financial_agents_stream_consumer_redelivered')],
        ],
      },
      {
        title: 'Pools: connections in use',
        description: 'Of those that the pool may open.',
        unit: 'percentunit',
        warnFrom: 0.9,
        queries: [
          [
            '{{db_client_connection_pool_name}}',
            `max by (db_client_connection_pool_name) (db_client_connection_count{${here}, db_client_connection_state="used"} / ignoring (db_client_connection_state) db_client_connection_max{${here}})`,
          ],
        ],
      },
      {
        title: 'Pools: who waits, and statements that failed',
        description: 'Class 23 is a constraint, which is how equal requests meet.',
        unit: 'short',
        queries: [
          [
            '{{db_client_connection_pool_name}} waits',
            highest('db_client_connection_pool_name', 'db_client_connection_pending_requests'),
          ],
          ['{{service_name}} {{reason}} /s', rate('service_name, reason', 'financial_agents_db_failures_total')],
        ],
      },
      {
        title: 'Requests inside, 95th percentile',
        description: 'Where they are answered, the slowest fifteen.',
        unit: 's',
        queries: [
          [
            '{{service_name}} {{call}}',
            `topk(15, histogram_quantile(0.95, sum by (le, service_name, call) (rate(financial_agents_bus_request_duration_seconds_bucket{${here}}[$__rate_interval]))))`,
          ],
        ],
      },
      {
        title: 'Event loops, and background jobs that failed',
        description: 'Near 1 a process does nothing but compute: give it a replica more.',
        unit: 'short',
        warnFrom: 0.8,
        queries: [
          ['{{service_name}}', highest('service_name', 'financial_agents_process_event_loop_utilization_ratio')],
          [
            '{{service_name}} {{background_job}} failed /s',
            rate('service_name, background_job', 'financial_agents_background_job_failures_total'),
          ],
        ],
      },
    ],
  },
  {
    title: 'Provider',
    panels: [
      {
        title: 'Calls by outcome',
        description: 'Per second.',
        unit: 'ops',
        queries: [['{{outcome}}', rate('outcome', 'financial_agents_provider_call_duration_seconds_count')]],
      },
      {
        title: 'Duration of calls, 95th percentile',
        description: 'By what is asked.',
        unit: 's',
        queries: [
          [
            '{{call}}',
            `histogram_quantile(0.95, sum by (le, call) (rate(financial_agents_provider_call_duration_seconds_bucket{${here}}[$__rate_interval])))`,
          ],
        ],
      },
      {
        title: 'Open circuits, and reads turned away',
        description: 'Clients hear 503 provider_unavailable.',
        unit: 'short',
        warnFrom: 1,
        queries: [
          ['{{service_name}} {{read}}', highest('service_name, read', 'financial_agents_provider_circuit_open')],
          ['{{reason}} /s', rate('reason', 'financial_agents_provider_turned_away_total')],
        ],
      },
    ],
  },
  {
    title: 'Authority',
    panels: [
      {
        title: 'Grants',
        description: 'Counted up to 50,000.',
        unit: 'short',
        kind: 'stat',
        queries: [['{{status}}', highest('status', 'financial_agents_authz_grants')]],
      },
      {
        title: 'What authz recorded',
        description: 'Per second: sign-ins, grants given, suspended and revoked.',
        unit: 'ops',
        queries: [['{{event}}', rate('event', 'financial_agents_authz_events_total')]],
      },
      {
        title: 'Access tokens issued',
        description: 'By how the client got them.',
        unit: 'ops',
        queries: [['{{grant_type}}', rate('grant_type', 'financial_agents_authz_tokens_issued_total')]],
      },
      {
        title: 'Fences that are not confirmed',
        description: 'Authority that was withdrawn and may still be used by what was accepted before.',
        unit: 's',
        warnFrom: 30,
        queries: [
          ['{{outbox}}', highest('outbox', 'financial_agents_outbox_oldest_age_seconds', ', outbox=~".* fences"')],
        ],
      },
      {
        title: 'Silence of the feed of grants',
        description: 'From five seconds on a gateway refuses every protected request.',
        unit: 's',
        warnFrom: 5,
        queries: [['{{pod}}', highest('pod', 'financial_agents_gateway_grant_feed_silence_seconds')]],
      },
      {
        title: 'Limits, and the record of used proofs',
        description: 'Requests beyond a limit per second; how full the fullest record is.',
        unit: 'short',
        queries: [
          ['{{limit}} /s', rate('limit', 'financial_agents_gateway_limited_requests_total')],
          ['record of proofs', highest('namespace', 'financial_agents_gateway_proof_record_fill_ratio')],
        ],
      },
      {
        title: 'Age of the key of access tokens',
        description: 'Rotated every 90 days.',
        unit: 's',
        kind: 'stat',
        warnFrom: 90 * 86_400,
        queries: [['age', highest('namespace', 'financial_agents_authz_signing_key_age_seconds')]],
      },
      {
        title: 'What operators did',
        description: 'As in the audit of the console, in the last hour.',
        unit: 'short',
        kind: 'bargauge',
        queries: [['{{action}}', `sum by (action) (increase(financial_agents_console_actions_total{${here}}[1h]))`]],
      },
    ],
  },
  {
    title: 'Webhooks',
    panels: [
      {
        title: 'Attempts by outcome',
        description: 'Per second.',
        unit: 'ops',
        queries: [['{{outcome}}', rate('outcome', 'financial_agents_webhooks_attempts_total')]],
      },
      {
        title: 'Deliveries: how late what is due is',
        description: 'Not counting the pauses between attempts.',
        unit: 's',
        warnFrom: 300,
        queries: [
          ['late', highest('namespace', 'financial_agents_outbox_oldest_age_seconds', ', outbox="deliveries"')],
        ],
      },
      {
        title: 'Subscriptions switched off',
        description: 'Because their receiver failed for five days, or said that it is gone. In the last day.',
        unit: 'short',
        kind: 'stat',
        queries: [
          ['switched off', `sum(increase(financial_agents_webhooks_disabled_subscriptions_total{${here}}[1d]))`],
        ],
      },
      {
        title: 'Events of owners by outcome',
        description: 'Attempts at your platform, per second.',
        unit: 'ops',
        queries: [['{{outcome}}', rate('outcome', 'financial_agents_webhooks_owner_event_attempts_total')]],
      },
    ],
  },
]

const datasource = { type: 'prometheus', uid: '${datasource}' }
const panelWidth = 8
const panelHeight = 8
const perLine = 3

/** Every query of the dashboard, for tests. */
export const dashboardQueries: readonly string[] = rows.flatMap(({ panels }) =>
  panels.flatMap(({ queries }) => queries.map(([, expression]) => expression)),
)

/** Returns the dashboard as Grafana imports it. */
export function dashboard(): string {
  const panels: object[] = []
  let y = 0
  for (const row of rows) {
    panels.push({ type: 'row', title: row.title, collapsed: false, gridPos: { h: 1, w: 24, x: 0, y }, panels: [] })
    y += 1
    row.panels.forEach((panel, index) => {
      const at = { x: (index % perLine) * panelWidth, y: y + Math.floor(index / perLine) * panelHeight }
      panels.push(panelOf(panel, { h: panelHeight, w: panelWidth, ...at }))
    })
    y += Math.ceil(row.panels.length / perLine) * panelHeight
  }
  return JSON.stringify({ ...frame, panels: panels.map((panel, index) => ({ id: index + 1, ...panel })) }, null, 2)
}

function panelOf({ title, description, unit, kind = 'timeseries', queries, warnFrom }: PanelRow, gridPos: object) {
  const steps = [
    { color: 'green', value: null },
    ...(warnFrom === undefined ? [] : [{ color: 'orange', value: warnFrom }]),
  ]
  const draws =
    kind === 'timeseries'
      ? {
          custom: {
            fillOpacity: 10,
            showPoints: 'never',
            thresholdsStyle: { mode: warnFrom === undefined ? 'off' : 'line' },
          },
        }
      : {}
  return {
    type: kind,
    title,
    description,
    datasource,
    gridPos,
    fieldConfig: { defaults: { unit, min: 0, thresholds: { mode: 'absolute', steps }, ...draws }, overrides: [] },
    options: kind === 'timeseries' ? timeseriesOptions : singleOptions,
    targets: queries.map(([legendFormat, expr], index) => ({
      refId: String.fromCodePoint(65 + index),
      datasource,
      expr,
      legendFormat,
      editorMode: 'code',
      range: kind === 'timeseries',
      instant: kind !== 'timeseries',
    })),
  }
}

const timeseriesOptions = {
  legend: { displayMode: 'list', placement: 'bottom', showLegend: true },
  tooltip: { mode: 'multi', sort: 'desc' },
}

const singleOptions = { reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false }, orientation: 'auto' }

const choice = { type: 'query', datasource, includeAll: true, multi: true, refresh: 2, sort: 1, current: {} }

const frame = {
  title: 'Financial agents API',
  uid: 'financial-agents',
  tags: ['financial-agents'],
  schemaVersion: 41,
  editable: true,
  graphTooltip: 1,
  refresh: '30s',
  time: { from: 'now-6h', to: 'now' },
  timezone: 'browser',
  annotations: {
    list: [
      {
        name: 'Alerts',
        enable: true,
        iconColor: 'red',
        datasource,
        expr: 'ALERTS{namespace=~"$namespace", alertstate="firing", alertname=~"[A-Z].*"}',
        titleFormat: '{{alertname}}',
        step: '60s',
      },
    ],
  },
  templating: {
    list: [
      { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus', current: {}, refresh: 1 },
      {
        ...choice,
        name: 'namespace',
        label: 'Namespace',
        multi: false,
        includeAll: false,
        query: 'label_values(financial_agents_build, namespace)',
      },
      {
        ...choice,
        name: 'route',
        label: 'Route',
        allValue: '.*',
        query: `label_values(http_server_request_duration_seconds_count{${here}}, http_route)`,
      },
    ],
  },
}
