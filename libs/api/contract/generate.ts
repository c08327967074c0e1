/** The documents that derive from the tables of the contract. */

import { failureCodes } from './src/failure-codes.ts'
import { kindFacts, operationKinds } from './src/machine/kinds.ts'
import { terminalStates, transitions } from './src/machine/machine.ts'
import { type OpenapiDocument, openapiDocument, withoutWebhooks } from './src/openapi/document.ts'
import { placeholderBaseUrl } from './src/openapi/origin.ts'
import { problemCatalogue } from './src/problem-catalogue.ts'
import { enablableOf, type Route, scopesOf } from './src/route.ts'
import { routes } from './src/routes.ts'
import { operatorScopes, scopes } from './src/scopes.ts'

function openapi(document: OpenapiDocument): string {
  return JSON.stringify(document, null, 2)
}

/** The document for the release. It has no examples, because a changed example breaks no client. */
function releasedDocument(): OpenapiDocument {
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

function kindTable(): string {
  const rows = operationKinds.map((kind) => {
    const { resource, area, target, provedBy, passesFences, raisesFence, pays } = kindFacts[kind]
    const fences = [passesFences.join(', '), raisesFence ?? '']
    return [`\`${kind}\``, resource, area, target ?? '', `\`${provedBy}\``, pays ? 'yes' : '', ...fences]
  })
  const head = [
    'Kind',
    'Resource',
    'Service',
    'Names',
    'Read that proves it',
    'Pays',
    'Passes fences of',
    'Raises fence of',
  ]
  return `# The kinds of operations\n\n${table(head, rows)}`
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

export const documents = {
  'libs/api/contract/generated/openapi.json': () => openapi(openapiDocument(placeholderBaseUrl)),
  'libs/api/contract/generated/openapi-without-webhooks.json': () =>
    openapi(withoutWebhooks(openapiDocument(placeholderBaseUrl))),
  'libs/api/contract/generated/machine.md': machine,
  'libs/api/contract/generated/kinds.md': kindTable,
  'libs/api/contract/generated/routes.md': routeTable,
  'libs/api/contract/generated/problems.md': problems,
  'libs/api/contract/generated/scopes.md': scopeTable,
}

/** Written only with a release. The tests compare every change with this file, because clients have this version. */
export const released = {
  'libs/api/contract/generated/released/openapi.json': () => openapi(releasedDocument()),
}
