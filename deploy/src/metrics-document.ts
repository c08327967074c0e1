/** Generates `deploy/metrics.md`: the metric table for operators, with the names that Prometheus shows. */

import { maxSeries } from '@financial-agents/runtime/metrics/cells'
import { type MetricRow, prometheusLabel, prometheusName } from '@financial-agents/runtime/metrics/metric-row'
import { metricTable } from '@financial-agents/runtime/metrics/table'

const introduction = `# Metrics

Every service tells these at \`/metrics\` of its health listener (port 9090, \`HEALTH_PORT\`), in Prometheus's text format. Each series
has \`service_name\` beside the labels below. With an OTLP endpoint set the same metrics leave over OTLP too, under the names of the
second column, beside those of the runtime that OpenTelemetry brings (\`nodejs_*\`, \`v8js_*\`).

The values of a label are a closed set: names of routes, calls, kinds, states, codes. No id, path, client or customer is ever one. A
metric has at most ${maxSeries.toLocaleString('en')} series in a process, and what goes beyond counts as \`other\`. A histogram has one line more for
each of its buckets: a gateway that has answered every route with five codes shows about 6,000 lines, every other service some
hundreds.

Figures from a database are asked for only when somebody scrapes, with one statement within an index, and kept for ten seconds;
where they cannot be read they are missing, and \`financial_agents_metrics_reading_failures_total\` counts it. Every replica of a
service tells the same figure: take \`max\`, never \`sum\`. Counters begin at 0 with each process.`

const tableHead = ['Name', 'OpenTelemetry name', 'Type', 'Unit', 'Labels', 'Meaning', 'Told by']

/** Returns the whole document. */
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
