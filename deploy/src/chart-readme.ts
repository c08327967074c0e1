/**
 * Generates the chart's README from its values: a section for each `##` of values.yaml, and a row for every value with
 * its default and the comment above it. Each fact is written once, in values.yaml.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMap, isScalar, type Pair, parseDocument, type YAMLMap } from 'yaml'

/** One value, or a map of values with a comment. */
export type ValueRow = { path: string; meaning: string; byDefault: string | null }

/** A `##` of values.yaml with the values that follow it. */
export type ValueSection = { title: string; rows: ValueRow[] }

/** Returns the sections of values.yaml in their order. */
export function valueSections(text: string): ValueSection[] {
  const { contents } = parseDocument(text)
  if (!isMap(contents)) throw new Error('values.yaml must be a map')
  const sections: ValueSection[] = []
  for (const [path, pair, comment] of pairsOf(contents, '')) {
    const { title, meaning } = readComment(comment)
    if (title) sections.push({ title, rows: [] })
    const section = sections.at(-1)
    if (!section) throw new Error(`values.yaml: ${path} comes before the first section`)
    const isNested = isMap(pair.value) && pair.value.items.length > 0
    if (!isNested || meaning !== '')
      section.rows.push({ path, meaning, byDefault: isNested ? null : JSON.stringify(pair.value) })
  }
  return sections
}

/** Yields every pair, outer ones first, with the comment above it. */
function* pairsOf(map: YAMLMap, prefix: string): Generator<[path: string, pair: Pair, comment: string]> {
  for (const [index, pair] of map.items.entries()) {
    if (!isScalar(pair.key)) throw new Error(`values.yaml: a key below ${prefix} is not a word`)
    const path = `${prefix}${String(pair.key.value)}`
    // The library attaches the comment above the first pair to the map.
    yield [path, pair, (index === 0 ? map.commentBefore : undefined) ?? pair.key.commentBefore ?? '']
    if (isMap(pair.value)) yield* pairsOf(pair.value, `${path}.`)
  }
}

/**
 * Reads the heading and the last paragraph of a comment. The paragraph describes the value, and a heading begins a
 * section.
 */
function readComment(comment: string): { title: string | undefined; meaning: string } {
  const lines = comment.split('\n')
  const heading = lines.findLast((line) => line.startsWith('# '))
  const paragraph = lines.slice(lines.lastIndexOf('') + 1).filter((line) => !line.startsWith('# '))
  return { title: heading?.slice(2), meaning: paragraph.map((line) => line.trim()).join(' ') }
}

const escaped = (text: string) => text.replaceAll('|', '\\|')

function renderSection({ title, rows }: ValueSection): string {
  const lines = rows.map(({ path, meaning, byDefault }) =>
    byDefault === null
      ? `| **\`${path}\`** | | ${escaped(meaning)} |`
      : `| \`${path}\` | \`${escaped(byDefault)}\` | ${escaped(meaning)} |`,
  )
  return [`### ${title}`, '', '| Value | Default | Meaning |', '| --- | --- | --- |', ...lines].join('\n')
}

export function chartReadme(folder: string): string {
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  const chart = parseDocument(read('Chart.yaml')).toJS() as { name: string; description: string; kubeVersion: string }
  const sections = valueSections(read('values.yaml')).map(renderSection).join('\n\n')
  return `# ${chart.name}

${chart.description} Kubernetes ${chart.kubeVersion.replace(/^>=([\d.]+)\.0-0$/, '$1 or newer')}.

${introduction}

## Values

${sections}`
}

const introduction = `The chart installs neither NATS nor PostgreSQL and creates no Secret: install those first
([deploy/README.md](../../deploy/README.md) has the order). [files/components.yaml](files/components.yaml) lists the chart's assumptions
about each service. [UPGRADING.md](UPGRADING.md) lists the requirements of each version.

## Installing

[ci/production-values.yaml](ci/production-values.yaml) has the minimum for production.

    kubectl create namespace financial-agents
    kubectl label namespace financial-agents pod-security.kubernetes.io/enforce=restricted
    kubectl apply --server-side -n financial-agents -f secrets/     # made by \`pnpm create-secrets\`
    helm upgrade --install financial-agents-api helm/financial-agents-api -n financial-agents -f my-values.yaml
    helm test financial-agents-api -n financial-agents --logs

\`failed pre-install: timed out waiting for the condition\` means that a migration could not run, or that the streams or the witnesses could
not be created.
\`kubectl get pods\` shows \`CreateContainerConfigError\` if a Secret or one of its keys is missing.
\`kubectl logs -l app.kubernetes.io/component=migrations\` (or \`streams\`) shows any other reason. Repair the cause and repeat the command.

To install without Helm in the cluster, run \`helm template … | kubectl apply -f -\` with \`migrations.mode=initContainer\`,
\`streams.mode=job\`, \`clients.mode=job\` and \`bindings.mode=job\`, because no hooks run then. Argo CD runs them as its own hooks.

For development on one node, with everything bundled: \`-f values-dev.yaml\`, or \`tilt up\`.

## Where things are

| | |
| --- | --- |
| templates/<kind>.yaml | every resource of that kind, one for each component |
| templates/job-*.yaml | migrations, streams, clients, bindings |
| templates/development/ | NATS and PostgreSQL on one node |
| files/components.yaml | each service: its secrets, its variables, its network destinations |
| files/alerts.yaml, files/dashboard.json | alerts and the Grafana dashboard |

## What holds

- Every pod passes Pod Security "restricted": no root user, a read-only root file system, no capabilities, no API token.
- A container gets only the secrets of its own component, by reference, key by key. So does a hook's Job. The Job of the streams also gets
  the addresses of PostgreSQL of \`operations\` and \`submitter\`, whose witnesses it makes.
- The hooks that run before an installation or upgrade (migrations, streams) need nothing that the same release creates. The hooks
  \`clients\` and \`bindings\` run after it, and \`clients\` mounts a ConfigMap of the release.
- Pods accept and open only the listed connections. The pods of the hooks that run before have their own policies, which are created
  before the pods and removed after them.
- A disruption budget never blocks a drain. A drain takes one pod of a component at a time.
- A stopping pod leaves its queues before it ends, and its grace period is longer than the stop needs.
- Only new pods read a changed Secret: \`kubectl rollout restart deployment -l app.kubernetes.io/instance=<release>\`.`
