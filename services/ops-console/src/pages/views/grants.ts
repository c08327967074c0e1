/** The list of grants: client, owner, last operation and number in flight. */

import type { GrantActivity } from '@financial-agents/bus/messages/operator'
import { kindFacts } from '@financial-agents/contract/kinds'
import type { OperatorGrant } from '@financial-agents/contract/schemas/operator'
import { filterForm, selectField } from '@financial-agents/pages/fields'
import { type Html, html } from '@financial-agents/pages/html'
import type { Page } from '@financial-agents/pages/page'
import { status, textField } from '@financial-agents/pages/parts'
import { distance, exactly } from '@financial-agents/pages/times'
import texts from '../../../messages/en.json' with { type: 'json' }
import { grantPath, grantsPath, operationPath, pager, paths, suspendPath } from '../links.ts'
import { grantWords, profileWords, stateWords } from '../words.ts'
import { freshLine } from './fresh.ts'
import { csvLink, idAttributes } from './operations.ts'
import { ways } from './ways.ts'

export type GrantsPage = {
  items: readonly OperatorGrant[]
  nextCursor: string | null
  /** The last operation of each grant. */
  activity: readonly GrantActivity[]
  query: Readonly<Record<string, string>>
  maySuspend: boolean
  now: Date
}

export function grantsView({ items, nextCursor, activity, query, maySuspend, now }: GrantsPage): Page {
  const last = new Map(activity.map((one) => [one.grant_id, one.last]))
  const rows = items.map((grant) => row(grant, { last: last.get(grant.id) ?? null, maySuspend, now }))
  const isFiltered = Object.keys(query).some((name) => name !== 'cursor')
  return {
    title: 'Grants',
    wide: 'full',
    navigation: ways('grants'),
    main: html`${freshLine(now)}
${grantFilters(query)}
<section id="found" aria-label="Grants">${
      items.length === 0
        ? html`<p class="none">${isFiltered ? texts.grants.noMatch : texts.grants.none}</p>`
        : html`<table class="list"><caption class="hidden">Grants, newest first</caption>
<thead><tr><th scope="col">Client and owner</th><th scope="col">Status</th><th scope="col">Given</th><th scope="col">Last token</th><th scope="col">Did last</th><th scope="col" class="number-cell">In flight</th>${maySuspend ? html`<th scope="col">Suspend</th>` : ''}</tr></thead>
<tbody>${rows}</tbody></table>`
    }</section>
${pager(paths.grants, query, nextCursor)}
${csvLink(paths.grantsCsv, query)}`,
  }
}

type RowFacts = { last: GrantActivity['last']; maySuspend: boolean; now: Date }

function row(grant: OperatorGrant, { last, maySuspend, now }: RowFacts): Html {
  const { id, client, subject, created_at, last_used_at, operations_in_flight } = grant
  return html`<tr data-key="${id}"><th scope="row"><a href="${grantPath(id)}">${client.name}</a> <span class="soft small">${profileWords[client.profile]}</span><br><span class="id">${subject}</span></th>
<td>${grantStatus(grant)}</td>
<td data-label="Given">${exactly(new Date(created_at))}</td>
<td data-label="Last token">${last_used_at === null ? 'None yet' : distance(new Date(last_used_at), now)}</td>
<td data-label="Did last">${lastWords(last, now)}</td>
<td class="number-cell" data-label="In flight">${operations_in_flight}</td>${
    maySuspend
      ? html`<td>${grant.status === 'active' ? html`<a class="button danger" href="${suspendPath(id)}">Suspend…<span class="hidden"> ${client.name} for ${subject}</span></a>` : ''}</td>`
      : ''
  }</tr>`
}

function grantStatus({ status: state, suspended }: OperatorGrant): Html {
  const { tone, word } = grantWords[state]
  return html`${status(tone, word)}${suspended ? html`<p>${suspended.reason}</p>` : ''}`
}

export function lastWords(last: GrantActivity['last'], now: Date): Html | string {
  if (last === null) return 'Nothing so far'
  const { tone, word } = stateWords[last.state]
  return html`<a href="${operationPath(last.operation_id)}">${kindFacts[last.kind].operatorWord}</a> ${status(tone, word)}<p>${distance(new Date(last.created_at), now)}</p>`
}

const statuses = ['active', 'suspended', 'revoked', 'expired'] as const

export function grantFilters(query: Readonly<Record<string, string>>): Html {
  return filterForm({
    action: paths.grants,
    clear: grantsPath(query) !== paths.grants,
    fields: [
      selectField({
        name: 'status',
        label: 'Status',
        none: 'Any',
        options: statuses.map((state) => [state, grantWords[state].word]),
        value: query['status'],
      }),
      textField({ name: 'client_id', label: 'Client id', value: query['client_id'] ?? '', attributes: idAttributes }),
      textField({ name: 'subject', label: 'Owner (subject)', value: query['subject'] ?? '', attributes: idAttributes }),
      textField({
        name: 'owner',
        label: 'Customer at the provider',
        value: query['owner'] ?? '',
        attributes: idAttributes,
      }),
      ...(query['same_owner_as']
        ? [
            textField({
              name: 'same_owner_as',
              label: 'Same owner as grant',
              value: query['same_owner_as'],
              attributes: idAttributes,
            }),
          ]
        : []),
    ],
  })
}
