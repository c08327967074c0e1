/** Generates `deploy/metrics.md`: the metric table for operators, with the names that Prometheus shows. */

import { maxSeries } from '@financial-agents/runtime/metrics/cells'
import { type MetricRow, prometheusLabel, prometheusName } from '@financial-agents/runtime/metrics/metric-row'
import { metricTable } from '@financial-agents/runtime/metrics/table'

const introduction = `# Metrics

Every service exposes these metrics at \`/metrics\` of its health listener (port 9090, \`HEALTH_PORT\`), in Prometheus's text format. Each
series has the label \`service_name\` in addition to the labels below. With an OTLP endpoint set, the service also exports the same metrics
over OTLP, under the names of the second column, together with OpenTelemetry's runtime metrics (\`nodejs_*\`, \`v8js_*\`).

The values of a label are a closed set: names of routes, calls, kinds, states, codes. A label never contains an id, path, client or
customer. A metric has at most ${maxSeries.toLocaleString('en')} series in a process; all others count as \`other\`. A histogram has one
additional line for each of its buckets. A gateway that has answered every route with five codes shows about 6,000 lines, operations with every
outcome of every kind about 2,000, and every other service some hundreds.

Figures from a database are read only during a scrape, with one statement within an index, and cached for ten seconds. A figure that cannot
be read is missing, and \`financial_agents_metrics_reading_failures_total\` counts the failure. Every replica of a service reports the same
figure: use \`max\`, never \`sum\`. Counters begin at 0 with each process.`

const tableHead = ['Name', 'OpenTelemetry name', 'Type', 'Unit', 'Labels', 'Meaning', 'Reported by']

export function metricsDocument(): string {
  const rows = Object.entries(metricTable as Readonly<Record<string, MetricRow>>).map(([name, row]) => [
    code(prometheusName(name, row)),
    code(name),
    row.type,
    row.unit.replaceAll(/[{}]/g, ''),
    row.labels.map((label) => code(prometheusLabel(label))).join(', '),
    row.meaning,
    row.from,
  ])
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const table = [line(tableHead), line(tableHead.map(() => '---')), ...rows.map(line)].join('\n')
  return `${introduction}\n\n${table}`
}

function code(text: string): string {
  return `\`${text}\``
}
