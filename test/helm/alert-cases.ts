/**
 * For each alert, series on which it must fire, and the time by which it must. They are written by hand from the
 * purpose of the alert, not from its expression. Values use promtool's notation: `a+bxn` is a, a+b, … n times, one a
 * minute.
 */

/** Labels that Prometheus adds to each series of a scraped process. */
const target = (service: string) =>
  `namespace="test", pod="${service}-0", instance="10.0.0.1:9090", service_name="${service}"`

const requests = 'http_server_request_duration_seconds_count'
const answered = (status: string) =>
  `http_route="getOperation", http_request_method="GET", http_response_status_code="${status}", ${target('gateway')}`
const outbox = (name: string, service: string) =>
  `financial_agents_outbox_oldest_age_seconds{outbox="${name}", ${target(service)}}`
const kube = 'namespace="test", deployment="fa-gateway"'

export type AlertCase = {
  alert: string
  severity: 'critical' | 'warning'
  series: Record<string, string>
  /** The time by which the alert fires, in minutes. */
  byMin: number
}

const failing = { [`${requests}{${answered('200')}}`]: '0+95x400', [`${requests}{${answered('503')}}`]: '0+5x400' }
const failingSlowly = {
  [`${requests}{${answered('200')}}`]: '0+990x400',
  [`${requests}{${answered('500')}}`]: '0+8x400',
}
const inHalfASecond = (status: string) => `http_server_request_duration_seconds_bucket{le="0.5", ${answered(status)}}`
const slow = (inTime: number) => ({
  [inHalfASecond('200')]: `0+${inTime}x400`,
  [`${requests}{${answered('200')}}`]: '0+100x400',
})

export const alertCases: readonly AlertCase[] = [
  { alert: 'GatewayErrorBudgetBurn', severity: 'critical', series: failing, byMin: 70 },
  { alert: 'GatewayErrorBudgetBurn', severity: 'warning', series: failingSlowly, byMin: 390 },
  { alert: 'GatewayLatencyBudgetBurn', severity: 'critical', series: slow(70), byMin: 70 },
  { alert: 'GatewayLatencyBudgetBurn', severity: 'warning', series: slow(92), byMin: 390 },
  {
    alert: 'OperationsIndeterminateOld',
    severity: 'warning',
    series: {
      [`financial_agents_operations_oldest_unresolved_age_seconds{state="indeterminate", ${target('operations')}}`]:
        '3600+60x20',
    },
    byMin: 8,
  },
  {
    alert: 'OperationsIndeterminateOld',
    severity: 'critical',
    series: {
      [`financial_agents_operations_oldest_unresolved_age_seconds{state="indeterminate", ${target('operations')}}`]:
        '86400+60x20',
    },
    byMin: 8,
  },
  {
    alert: 'OperationsUnclaimed',
    severity: 'critical',
    series: { [outbox('unclaimed operations', 'operations')]: '0+60x20' },
    byMin: 4,
  },
  { alert: 'OutboxLag', severity: 'warning', series: { [outbox('transitions', 'reconciler')]: '0+60x20' }, byMin: 8 },
  {
    alert: 'SubmissionsUncertain',
    severity: 'warning',
    series: {
      [`financial_agents_submitter_submissions_total{kind="transfer", outcome="uncertain", ${target('submitter')}}`]:
        '0x5 1+1x10',
      [`financial_agents_submitter_expired_attempts_total{${target('submitter')}}`]: '0x20',
    },
    byMin: 15,
  },
  {
    alert: 'SubmitterSlotsExhausted',
    severity: 'warning',
    series: {
      [`financial_agents_submitter_calls_in_flight{${target('submitter')}}`]: '250x20',
      [`financial_agents_submitter_call_slots{${target('submitter')}}`]: '256x20',
    },
    byMin: 6,
  },
  {
    alert: 'ReconcilerReadsOverdue',
    severity: 'warning',
    series: { [`financial_agents_reconciler_oldest_due_age_seconds{${target('reconciler')}}`]: '0+60x20' },
    byMin: 10,
  },
  {
    alert: 'ManualReviewsWaiting',
    severity: 'warning',
    series: { [`financial_agents_reconciler_under_review{${target('reconciler')}}`]: '1x90' },
    byMin: 62,
  },
  {
    alert: 'TransitionsParked',
    severity: 'critical',
    series: {
      [`financial_agents_operations_parked_transitions_total{reason="broken_chain", ${target('operations')}}`]:
        '0x3 1x20',
    },
    byMin: 6,
  },
  {
    alert: 'RowsOutsideMonths',
    severity: 'warning',
    series: { [`financial_agents_db_rows_outside_months{${target('operations')}}`]: '3x90' },
    byMin: 62,
  },
  {
    alert: 'FencesUnconfirmed',
    severity: 'critical',
    series: { [outbox('grant fences', 'authz')]: '0+60x20' },
    byMin: 3,
  },
  {
    alert: 'GrantFeedSilent',
    severity: 'critical',
    series: { [`financial_agents_gateway_grant_feed_silence_seconds{${target('gateway')}}`]: '1 60 120 180 240' },
    byMin: 3,
  },
  {
    alert: 'SigningKeyOverdue',
    severity: 'warning',
    series: { [`financial_agents_authz_signing_key_age_seconds{${target('authz')}}`]: '8640001+60x90' },
    byMin: 62,
  },
  {
    alert: 'ProofRecordFilling',
    severity: 'warning',
    series: { [`financial_agents_gateway_proof_record_fill_ratio{${target('gateway')}}`]: '0.85x20' },
    byMin: 6,
  },
  {
    alert: 'ProviderCircuitOpen',
    severity: 'warning',
    series: { [`financial_agents_provider_circuit_open{read="cards", ${target('cards')}}`]: '1x20' },
    byMin: 3,
  },
  {
    alert: 'ProviderErrorRate',
    severity: 'warning',
    series: {
      [`financial_agents_provider_call_duration_seconds_count{call="submit", outcome="succeeded", ${target('submitter')}}`]:
        '0+8x30',
      [`financial_agents_provider_call_duration_seconds_count{call="lookup", outcome="provider_timeout", ${target('reconciler')}}`]:
        '0+2x30',
    },
    byMin: 20,
  },
  {
    alert: 'StreamConsumerLag',
    severity: 'warning',
    series: {
      [`financial_agents_stream_consumer_pending{stream="OPS_EVENT", consumer="operations", ${target('operations')}}`]:
        '600x20',
    },
    byMin: 6,
  },
  {
    alert: 'StreamRefusing',
    severity: 'critical',
    series: { [`financial_agents_stream_refusing{stream="OPS_EVENT", ${target('submitter')}}`]: '1x20' },
    byMin: 3,
  },
  {
    alert: 'BusDisconnected',
    severity: 'critical',
    series: { [`financial_agents_bus_connected{${target('cards')}}`]: '1 0x20' },
    byMin: 3,
  },
  {
    alert: 'DatabasePoolExhausted',
    severity: 'warning',
    series: {
      [`db_client_connection_pending_requests{db_client_connection_pool_name="cards", ${target('cards')}}`]: '3x20',
      [`db_client_connection_count{db_client_connection_pool_name="cards", db_client_connection_state="used", ${target('cards')}}`]:
        '10x20',
      [`db_client_connection_max{db_client_connection_pool_name="cards", ${target('cards')}}`]: '10x20',
    },
    byMin: 4,
  },
  {
    alert: 'DatabaseOutOfReach',
    severity: 'critical',
    series: { [`financial_agents_db_failures_total{reason="out_of_reach", ${target('authz')}}`]: '0+5x20' },
    byMin: 6,
  },
  {
    alert: 'DatabaseOutOfReach',
    severity: 'critical',
    series: { [`financial_agents_db_failures_total{reason="disk_full", ${target('operations')}}`]: '0+5x20' },
    byMin: 6,
  },
  {
    alert: 'BackgroundJobsFailing',
    severity: 'warning',
    series: {
      [`financial_agents_background_job_failures_total{background_job="outbox", ${target('submitter')}}`]: '0+10x20',
    },
    byMin: 6,
  },
  {
    alert: 'MetricsIncomplete',
    severity: 'warning',
    series: {
      [`financial_agents_metrics_reading_failures_total{reading="consumer", ${target('submitter')}}`]: '0+2x30',
    },
    byMin: 20,
  },
  {
    alert: 'WebhooksFailing',
    severity: 'warning',
    series: {
      [`financial_agents_webhooks_attempts_total{outcome="delivered", ${target('notifier')}}`]: '0+1x60',
      [`financial_agents_webhooks_attempts_total{outcome="no_answer", ${target('notifier')}}`]: '0+4x60',
    },
    byMin: 40,
  },
  {
    alert: 'OwnerEventsFailing',
    severity: 'warning',
    series: {
      [`financial_agents_webhooks_owner_event_attempts_total{outcome="no_answer", ${target('notifier')}}`]: '0+1x90',
    },
    byMin: 40,
  },
  {
    alert: 'WebhookDeliveriesLate',
    severity: 'warning',
    series: { [outbox('deliveries', 'notifier')]: '0+60x20' },
    byMin: 12,
  },
  {
    alert: 'ServiceMissing',
    severity: 'critical',
    // The alert continues for as long as the series is missing, not only for an hour.
    series: { [`financial_agents_build{version="1.0.0", ${target('reconciler')}}`]: '1x30 _x100' },
    byMin: 130,
  },
  {
    alert: 'PodsNotReady',
    severity: 'warning',
    series: {
      [`kube_deployment_status_replicas_ready{${kube}}`]: '2x30',
      [`kube_deployment_spec_replicas{${kube}}`]: '3x30',
    },
    byMin: 12,
  },
  {
    alert: 'PodsNotReady',
    severity: 'critical',
    series: {
      [`kube_deployment_status_replicas_ready{${kube}}`]: '0x30',
      [`kube_deployment_spec_replicas{${kube}}`]: '3x30',
    },
    byMin: 4,
  },
  {
    alert: 'MigrationsFailed',
    severity: 'critical',
    series: { [`kube_job_status_failed{namespace="test", job_name="fa-authz-migrate"}`]: '0 1x20' },
    byMin: 2,
  },
]

/** A normal day: some traffic, refused clients, a provider that sometimes refuses, a webhook that fails. */
export const quietSeries: Readonly<Record<string, string>> = {
  [`${requests}{${answered('200')}}`]: '0+600x400',
  [`${requests}{${answered('401')}}`]: '0+60x400',
  [`${requests}{${answered('499')}}`]: '0+6x400',
  [inHalfASecond('200')]: '0+598x400',
  [inHalfASecond('401')]: '0+60x400',
  [`financial_agents_operations_oldest_unresolved_age_seconds{state="indeterminate", ${target('operations')}}`]:
    '60x400',
  [`financial_agents_operations_oldest_unresolved_age_seconds{state="submitted", ${target('operations')}}`]: '7200x400',
  [outbox('unclaimed operations', 'operations')]: '0.2x400',
  [outbox('events', 'submitter')]: '2x400',
  [outbox('drafts', 'cards')]: '1x400',
  [outbox('grant fences', 'authz')]: '1x400',
  [outbox('deliveries', 'notifier')]: '20x400',
  [`financial_agents_submitter_submissions_total{kind="transfer", outcome="succeeded", ${target('submitter')}}`]:
    '0+30x400',
  [`financial_agents_submitter_submissions_total{kind="transfer", outcome="uncertain", ${target('submitter')}}`]:
    '0x100 1x300',
  [`financial_agents_submitter_expired_attempts_total{${target('submitter')}}`]: '0x400',
  [`financial_agents_reconciler_under_review{${target('reconciler')}}`]: '0x400',
  [`financial_agents_gateway_grant_feed_silence_seconds{${target('gateway')}}`]: '0.7x400',
  [`financial_agents_bus_connected{${target('cards')}}`]: '1x400',
  [`financial_agents_stream_consumer_pending{stream="OPS_EVENT", consumer="operations", ${target('operations')}}`]:
    '3x400',
  [`db_client_connection_pending_requests{db_client_connection_pool_name="cards", ${target('cards')}}`]: '0x400',
  [`db_client_connection_count{db_client_connection_pool_name="cards", db_client_connection_state="used", ${target('cards')}}`]:
    '10x400',
  [`db_client_connection_max{db_client_connection_pool_name="cards", ${target('cards')}}`]: '10x400',
  [`financial_agents_db_failures_total{reason="sqlstate_23", ${target('operations')}}`]: '0+20x400',
  [`financial_agents_provider_call_duration_seconds_count{call="submit", outcome="succeeded", ${target('submitter')}}`]:
    '0+30x400',
  [`financial_agents_provider_call_duration_seconds_count{call="submit", outcome="failed", ${target('submitter')}}`]:
    '0+10x400',
  [`financial_agents_webhooks_attempts_total{outcome="delivered", ${target('notifier')}}`]: '0+30x400',
  [`financial_agents_webhooks_attempts_total{outcome="no_answer", ${target('notifier')}}`]: '0+3x400',
  [`financial_agents_build{version="1.0.0", ${target('reconciler')}}`]: '1x400',
  [`kube_deployment_status_replicas_ready{${kube}}`]: '3x400',
  [`kube_deployment_spec_replicas{${kube}}`]: '3x400',
  [`kube_deployment_status_replicas_ready{namespace="test", deployment="somebody-elses"}`]: '0x400',
  [`kube_deployment_spec_replicas{namespace="test", deployment="somebody-elses"}`]: '1x400',
}
