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
const closed = (reason: string, service: string) =>
  `financial_agents_witness_closed{schema="${service}", reason="${reason}", ${target(service)}}`
const kube = 'namespace="test", deployment="fa-gateway"'

const volume = (name: string) =>
  `kubelet_volume_stats_${name}_bytes{namespace="postgres", persistentvolumeclaim="postgres-1-wal"}`
/** A volume of 100 whose free part begins with `free` and shrinks by `perMinute`. */
const filling = (free: number, perMinute: number) => ({
  [volume('capacity')]: '100x100',
  [volume('available')]: `${free}-${perMinute}x100`,
})
const backup = 'cnpg_collector_last_available_backup_timestamp{namespace="postgres", pod="postgres-1"}'
const archiver = 'cnpg_pg_stat_archiver_seconds_since_last_archival{namespace="postgres", pod="postgres-1"}'
const waitingWal = 'cnpg_collector_pg_wal_archive_status{namespace="postgres", pod="postgres-1", value="ready"}'
const certificate = 'certmanager_certificate_expiration_timestamp_seconds{exported_namespace="nats", name="nats"}'
const cron = 'namespace="test", cronjob="fa-archive"'

const outcomes = (which: 'first' | 'final', kind: string, state: string) => {
  const labels = `kind="${kind}", state="${state}", ${target('operations')}`
  const name = `financial_agents_operations_${which}_outcome_duration_seconds`
  return { within: (s: number) => `${name}_bucket{le="${s}", ${labels}}`, all: `${name}_count{${labels}}` }
}
const transfers = outcomes('first', 'transfer', 'submitted')
const uncertain = outcomes('first', 'transfer', 'indeterminate')
const cards = outcomes('final', 'card_create', 'succeeded')
const paid = outcomes('final', 'transfer', 'succeeded')

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
  { alert: 'GatewayErrorBudgetBurn', severity: 'warning', series: failingSlowly, byMin: 40 },
  { alert: 'GatewayLatencyBudgetBurn', severity: 'critical', series: slow(70), byMin: 70 },
  { alert: 'GatewayLatencyBudgetBurn', severity: 'warning', series: slow(92), byMin: 40 },
  // All are uncertain, so no series of others exists.
  {
    alert: 'FirstOutcomeBudgetBurn',
    severity: 'critical',
    series: { [uncertain.within(10)]: '0+1x400', [uncertain.all]: '0+1x400' },
    byMin: 70,
  },
  {
    alert: 'FirstOutcomeBudgetBurn',
    severity: 'warning',
    series: { [transfers.within(10)]: '0+92x400', [transfers.all]: '0+100x400' },
    byMin: 40,
  },
  {
    alert: 'FinalOutcomeBudgetBurn',
    severity: 'critical',
    series: { [cards.within(60)]: '0+7x400', [cards.all]: '0+10x400' },
    byMin: 70,
  },
  {
    alert: 'FinalOutcomeBudgetBurn',
    severity: 'warning',
    series: { [cards.within(60)]: '0+92x400', [cards.all]: '0+100x400' },
    byMin: 40,
  },
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
  {
    alert: 'WritesClosed',
    severity: 'critical',
    series: { [closed('loss', 'submitter')]: '_ 1x20' },
    byMin: 4,
  },
  {
    alert: 'WritesClosed',
    severity: 'critical',
    series: { [closed('unreachable', 'submitter')]: '_ 1x20' },
    byMin: 8,
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
  {
    alert: 'JobFailed',
    severity: 'warning',
    series: { [`kube_job_failed{namespace="test", job_name="fa-streams", condition="true"}`]: '_ 1x10' },
    byMin: 2,
  },
  // promtool's time begins in 1970.
  {
    alert: 'ArchiveFailed',
    severity: 'warning',
    series: {
      [`kube_cronjob_status_last_schedule_time{${cron}}`]: '-28000x60',
      [`kube_cronjob_status_last_successful_time{${cron}}`]: '-2600000x60',
    },
    byMin: 20,
  },
  // No run has ever succeeded.
  {
    alert: 'ArchiveFailed',
    severity: 'warning',
    series: { [`kube_cronjob_status_last_schedule_time{${cron}}`]: '-28000x60' },
    byMin: 20,
  },
  { alert: 'VolumeFilling', severity: 'warning', series: filling(19, 0), byMin: 32 },
  // Half of it in 60 hours.
  { alert: 'VolumeFilling', severity: 'warning', series: filling(50, 50 / 3_600), byMin: 60 },
  { alert: 'VolumeFilling', severity: 'critical', series: filling(9, 0), byMin: 7 },
  { alert: 'VolumeFilling', severity: 'critical', series: filling(49, 0.25), byMin: 12 },
  { alert: 'BaseBackupOld', severity: 'warning', series: { [backup]: '-92000x100' }, byMin: 90 },
  { alert: 'BaseBackupOld', severity: 'critical', series: { [backup]: '-258000x100' }, byMin: 85 },
  {
    alert: 'WalNotArchived',
    severity: 'warning',
    series: { [archiver]: '0+60x60', [waitingWal]: '3x60' },
    byMin: 22,
  },
  {
    alert: 'WalNotArchived',
    severity: 'critical',
    series: { [archiver]: '0+60x100', [waitingWal]: '3x100' },
    byMin: 68,
  },
  { alert: 'CertificateExpiring', severity: 'warning', series: { [certificate]: '604000x100' }, byMin: 62 },
  { alert: 'CertificateExpiring', severity: 'critical', series: { [certificate]: '172000x60' }, byMin: 7 },
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
  [transfers.within(10)]: '0+30x400',
  [transfers.all]: '0+30x400',
  [uncertain.within(10)]: '0x100 1x300',
  [uncertain.all]: '0x100 1x300',
  [cards.within(60)]: '0+5x400',
  [cards.all]: '0+5x400',
  // The money arrives days later.
  [paid.within(60)]: '0x400',
  [paid.all]: '0+30x400',
  [`kube_job_failed{namespace="test", job_name="fa-streams", condition="false"}`]: '1x400',
  [`kube_job_failed{namespace="test", job_name="somebody-elses", condition="true"}`]: '1x400',
  // PostgreSQL restarts.
  [closed('unreachable', 'submitter')]: '0x50 1x3 0x340',
  [closed('loss', 'submitter')]: '0x400',
  // A run that began and has not ended yet, four weeks after the one before.
  [`kube_cronjob_status_last_schedule_time{${cron}}`]: '-2500000x30 1800x370',
  [`kube_cronjob_status_last_successful_time{${cron}}`]: '-2490000x400',
  // WAL comes and goes.
  [volume('capacity')]: '100x400',
  [volume('available')]: '70-1x10 60+1x9 70-1x10 60+1x9 70x360',
  [backup]: '-70000x400',
  // No WAL waits, so none is archived.
  [archiver]: '0+60x400',
  [waitingWal]: '0x400',
  [certificate]: '2600000x400',
  [`financial_agents_build{version="1.0.0", ${target('reconciler')}}`]: '1x400',
  [`kube_deployment_status_replicas_ready{${kube}}`]: '3x400',
  [`kube_deployment_spec_replicas{${kube}}`]: '3x400',
  [`kube_deployment_status_replicas_ready{namespace="test", deployment="somebody-elses"}`]: '0x400',
  [`kube_deployment_spec_replicas{namespace="test", deployment="somebody-elses"}`]: '1x400',
}
