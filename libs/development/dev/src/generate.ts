/**
 * The command `gen`: writes the documents that derive from the tables. With `--check` it fails if a document differs
 * from its tables. Its output is never edited by hand.
 */

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { failureCodes } from '@financial-agents/contract/failure-codes'
import { terminalStates, transitions } from '@financial-agents/contract/machine'
import { type OpenapiDocument, openapiDocument, withoutWebhooks } from '@financial-agents/contract/openapi'
import { placeholderBaseUrl } from '@financial-agents/contract/openapi/origin'
import { problemCatalogue } from '@financial-agents/contract/problem-catalogue'
import { enablableOf, type Route, scopesOf } from '@financial-agents/contract/route'
import { routes } from '@financial-agents/contract/routes'
import { operatorScopes, scopes } from '@financial-agents/contract/scopes'
import { chartReadme } from '@financial-agents/deploy/chart-readme'
import { dashboard } from '@financial-agents/deploy/dashboard'
import { metricsDocument } from '@financial-agents/deploy/metrics-document'
import { accountsFile } from '@financial-agents/deploy/nats/accounts'
import { natsChartValues } from '@financial-agents/deploy/nats/chart-values'
import { rolesScript } from '@financial-agents/deploy/postgres/roles-script'
import { defaultPrefix } from '@financial-agents/deploy/secrets/names'
import { messagesModule } from '@financial-agents/pages/messages-module'
import { providerDocument } from '@financial-agents/provider-api/openapi'
import { defineCommand } from '@financial-agents/runtime/command'
import { runCommand } from '@financial-agents/runtime/program'
import { clientMethods, clientMinorUnits, clientTable, clientTypes } from './client/generated-client.ts'
import { pythonMethods, pythonModels, pythonTable } from './client/generated-python.ts'
import { mcpSchemas } from './mcp/generated-schemas.ts'
import { servicesOnTheBus, subjectsTable } from './subjects-table.ts'

const root = join(import.meta.dirname, '../../../..')
const note = '<!-- Written by `pnpm gen`; change the table it comes from. -->'

const documents: Record<string, () => string> = {
  'libs/api/contract/generated/openapi.json': () => openapi(openapiDocument(placeholderBaseUrl)),
  'libs/api/contract/generated/openapi-without-webhooks.json': () =>
    openapi(withoutWebhooks(openapiDocument(placeholderBaseUrl))),
  'libs/clients/typescript/src/generated/types.ts': clientTypes,
  'libs/clients/typescript/src/generated/methods.ts': clientMethods,
  'libs/clients/typescript/src/generated/table.ts': clientTable,
  'libs/clients/typescript/src/generated/minor-units.ts': clientMinorUnits,
  'libs/clients/python/src/financial_agents/generated/models.py': pythonModels,
  'libs/clients/python/src/financial_agents/generated/methods.py': pythonMethods,
  'libs/clients/python/src/financial_agents/generated/table.py': pythonTable,
  'libs/clients/mcp/src/generated/schemas.ts': mcpSchemas,
  'libs/platform/pages/src/generated/catalogues.ts': messagesModule,
  'libs/api/contract/generated/machine.md': machine,
  'libs/api/contract/generated/routes.md': routeTable,
  'libs/api/contract/generated/problems.md': problems,
  'libs/api/contract/generated/scopes.md': scopeTable,
  'libs/provider/api/generated/openapi.json': () => JSON.stringify(providerDocument(), null, 2),
  'deploy/nats/values.yaml': () => natsChartValues(defaultPrefix),
  'helm/financial-agents-api/files/nats-accounts.conf': accountsFile,
  'helm/financial-agents-api/files/roles.sql': rolesScript,
  'deploy/metrics.md': metricsDocument,
  'helm/financial-agents-api/files/dashboard.json': dashboard,
  'helm/financial-agents-api/README.md': () => chartReadme(join(root, 'helm/financial-agents-api')),
}

/** Written only with a release. The tests compare every change with this file, because clients have this version. */
const releasedFile = 'libs/api/contract/generated/released/openapi.json'

/** The generated parts of documents that are otherwise written by hand: the text between the two marks. */
const sections = Object.fromEntries(
  servicesOnTheBus.map((service) => [`services/${service}/README.md`, () => subjectsTable(service)]),
)
const begins = '<!-- Written by `pnpm gen` from libs/platform/bus/src/calls and the contract; change it there. -->'
const ends = '<!-- Until here. -->'

function withSection(file: string, text: string, section: string): string {
  const [before = '', rest] = text.split(`${begins}\n`)
  const after = rest?.split(ends)[1]
  if (after === undefined) throw new Error(`${file} has no place for its subjects: ${begins} … ${ends}`)
  return `${before}${begins}\n\n${section}\n\n${ends}${after}`
}

function openapi(document: OpenapiDocument): string {
  return JSON.stringify(document, null, 2)
}

/** The document for the release. It has no examples, because a changed example breaks no client. */
function released(): OpenapiDocument {
  const text = JSON.stringify(openapiDocument(placeholderBaseUrl), (name, value: unknown) =>
    name === 'examples' || name === 'example' ? undefined : value,
  )
  return JSON.parse(text) as OpenapiDocument
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function machine(): string {
  const edges = transitions.map((row) => `  ${row.from ?? '[*]'} --> ${row.to}: ${row.event}`)
  const ends = terminalStates.map((state) => `  ${state} --> [*]`)
  const rows = transitions.map((row) => [row.from ?? '(new)', row.event, row.to, row.by, row.basis])
  const diagram = ['```mermaid', 'stateDiagram-v2', ...edges, ...ends, '```'].join('\n')
  return `# The operation machine\n\n${diagram}\n\n${table(['From', 'Event', 'To', 'Moved by', 'Basis'], rows)}`
}

function routeTable(): string {
  const rows = Object.entries(routes as Record<string, Route>).map(([name, row]) => [
    `\`${row.method} ${row.path}\``,
    name,
    row.service,
    scopesOf(row).join(' or ') || '—',
    [
      row.audience === 'operator' ? "an operator's token" : '',
      row.keyed ? 'keyed' : '',
      row.binding ? 'binding' : '',
      row.browserSession ? 'browser session' : '',
      row.policy ? 'policy' : '',
      enablableOf(row) ?? '',
    ]
      .filter(Boolean)
      .join(', '),
    row.confirmation ? `${row.confirmation.action}, ${row.confirmation.needed.replace('_', ' ')}` : '',
    String(row.status),
  ])
  return `# Routes\n\n${table(['Route', 'Name', 'Service', 'Scope', 'Needs', 'Confirmation', 'Status'], rows)}`
}

function problems(): string {
  const codes = Object.entries(problemCatalogue).map(([code, entry]) => [
    `\`${code}\``,
    String(entry.status),
    entry.retryable ? 'yes' : 'no',
    entry.submission_uncertain ? 'yes' : 'no',
    entry.description,
  ])
  const failures = Object.entries(failureCodes).map(([code, description]) => [`\`${code}\``, description])
  const codeTable = table(['Code', 'Status', 'Retryable', 'Submission uncertain', 'What to do'], codes)
  return `# Problem codes\n\n${codeTable}\n\n# Failure codes of an operation\n\n${table(['Code', 'Meaning'], failures)}`
}

function scopeTable(): string {
  const tableOf = (all: Readonly<Record<string, string>>) =>
    table(
      ['Scope', 'Grants'],
      Object.entries(all).map(([scope, grants]) => [`\`${scope}\``, grants]),
    )
  return `# Scopes\n\n${tableOf(scopes)}\n\n# Scopes of operators\n\n${tableOf(operatorScopes)}`
}

export const command = defineCommand({
  summary: 'write the documents that derive from the tables',
  usage: [
    ['gen', `${Object.keys({ ...documents, ...sections }).length} files; prints those that changed`],
    ['gen --check', 'changes nothing; fails where a file is not what the tables say'],
    ['gen --release', 'also the released OpenAPI document, against which breaking changes are validated'],
  ],
  options: { check: { type: 'boolean', default: false }, release: { type: 'boolean', default: false } },
  run: async ({ values }) => {
    const stale: string[] = []
    const write = async (file: string, render: (current: string) => string) => {
      const path = join(root, file)
      const current = await readFile(path, 'utf8').catch(() => '')
      const text = render(current)
      if (current === text) return
      stale.push(file)
      if (values.check) return
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, text)
    }
    if (values.release) await write(releasedFile, () => `${openapi(released())}\n`)
    for (const [file, render] of Object.entries(documents))
      await write(file, () => (file.endsWith('.md') ? `${note}\n\n${render()}\n` : `${render()}\n`))
    for (const [file, render] of Object.entries(sections))
      await write(file, (current) => withSection(file, current, render()))
    if (!values.check) return stale.map((file) => `${file}: written`)
    if (stale.length > 0) throw new Error(`not what the tables say: ${stale.join(', ')}; run npx -y pnpm@12 gen`)
    return undefined
  },
})

if (import.meta.main) runCommand('gen', command)
