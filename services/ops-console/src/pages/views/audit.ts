/** The view of the audit: looks and actions of operators, newest first. */

import { filterForm, selectField } from '@financial-agents/pages/fields'
import { type Html, html } from '@financial-agents/pages/html'
import type { Page } from '@financial-agents/pages/page'
import { status, type Tone, textField } from '@financial-agents/pages/parts'
import { exactly } from '@financial-agents/pages/times'
import texts from '../../../messages/en.json' with { type: 'json' }
import { type AuditRecord, auditActions } from '../../store/audit.ts'
import { grantPath, operationPath, pager, paths, withQuery } from '../links.ts'
import { auditWords } from '../words.ts'
import { freshLine } from './fresh.ts'
import { idAttributes } from './operations.ts'
import { ways } from './ways.ts'

export type AuditPageFacts = {
  items: readonly AuditRecord[]
  nextCursor: string | null
  query: Readonly<Record<string, string>>
  now: Date
}

export function auditView({ items, nextCursor, query, now }: AuditPageFacts): Page {
  return {
    title: 'Audit',
    lead: texts.audit.lead,
    wide: 'full',
    navigation: ways('audit'),
    main: html`${freshLine(now)}
${auditFilters(query)}
<section id="found" aria-label="Entries">${
      items.length === 0
        ? html`<p class="none">${texts.audit.noMatch}</p>`
        : html`<table class="list"><caption class="hidden">Entries, newest first</caption>
<thead><tr><th scope="col">When</th><th scope="col">Who</th><th scope="col">What</th><th scope="col">Outcome</th><th scope="col">Request</th></tr></thead>
<tbody>${items.map((record) => row(record))}</tbody></table>`
    }</section>
${pager(paths.audit, query, nextCursor)}`,
  }
}

function row({ id, at, operator, action, detail, outcome, request_id, remote_address }: AuditRecord): Html {
  return html`<tr data-key="${id}"><th scope="row">${exactly(new Date(at))}</th>
<td data-label="Who">${operator ? html`${operator.name ?? ''} <a class="id" href="${withQuery(paths.audit, { operator_id: operator.id })}">${operator.id}</a>` : 'Nobody made out'}</td>
<td data-label="What">${auditWords[action] ?? action}${detailOf(detail)}</td>
<td data-label="Outcome">${outcomeOf(outcome)}</td>
<td data-label="Request"><span class="id">${request_id}</span>${remote_address === null ? '' : html`<p>from <span class="id">${remote_address}</span></p>`}</td></tr>`
}

function detailOf(detail: AuditRecord['detail']): Html[] {
  return Object.entries(detail).map(
    ([name, value]) => html`<p>${name.replaceAll('_', ' ')}: ${linked(name, value)}</p>`,
  )
}

function linked(name: string, value: unknown): Html | string {
  const text = Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : JSON.stringify(value)
  if (name === 'operation_id') return html`<a class="id" href="${operationPath(text)}">${text}</a>`
  if (name === 'grant_id') return html`<a class="id" href="${grantPath(text)}">${text}</a>`
  return text
}

const plain: ReadonlySet<string> = new Set([
  'answered',
  'attempted',
  'signed_in',
  'signed_out',
  'suspended',
  'already_suspended',
])

function outcomeOf(outcome: string): Html {
  const tone: Tone = plain.has(outcome) ? 'neutral' : 'warning'
  return status(tone, outcome.replaceAll('_', ' '))
}

function auditFilters(query: Readonly<Record<string, string>>): Html {
  return filterForm({
    action: paths.audit,
    clear: withQuery(paths.audit, query) !== paths.audit,
    fields: [
      textField({
        name: 'operator_id',
        label: 'Operator id',
        value: query['operator_id'] ?? '',
        attributes: idAttributes,
      }),
      selectField({
        name: 'action',
        label: 'What',
        none: 'Anything',
        options: auditActions.map((action) => [action, auditWords[action]]),
        value: query['action'],
      }),
    ],
  })
}
