/** The view of one grant: its scopes, its status and its operations in flight; and its suspension, if there is one. */

import type { GrantActivity } from '@financial-agents/bus/messages/operator'
import type { OperatorGrant } from '@financial-agents/contract/schemas/operator'
import { type Html, type HtmlValue, html } from '@financial-agents/pages/html'
import type { Page } from '@financial-agents/pages/page'
import { facts, notice, status } from '@financial-agents/pages/parts'
import { instant } from '@financial-agents/pages/times'
import texts from '../../../messages/en.json' with { type: 'json' }
import { grantsPath, operationsPath, paths, suspendClientPath, suspendPath } from '../links.ts'
import { grantWords, profileWords } from '../words.ts'
import { freshLine } from './fresh.ts'
import { lastWords } from './grants.ts'
import { comesBack } from './suspension.ts'
import { ways } from './ways.ts'

export type GrantPage = {
  grant: OperatorGrant
  last: GrantActivity['last']
  maySuspend: boolean
  /** The word that the previous page left. */
  flash: string | undefined
  now: Date
}

export function grantView({ grant, last, maySuspend, flash, now }: GrantPage): Page {
  const { id, client, subject, suspended } = grant
  return {
    title: `Grant of ${client.name}`,
    wide: true,
    navigation: ways('grants'),
    notice: flash === undefined ? undefined : said(flash),
    main: html`${freshLine(now)}
<section id="facts" aria-label="What it is"><div class="card">${facts([
      ['Status', status(grantWords[grant.status].tone, grantWords[grant.status].word)],
      ...(suspended
        ? ([
            ['Suspended', html`${instant(new Date(suspended.at), now)} by <span class="id">${suspended.by}</span>`],
            ['Reason', suspended.reason],
            ['Reason for the owner', suspended.reason_for_owner ?? 'None'],
            ['Comes back', comesBack(grant)],
          ] satisfies [string, HtmlValue][])
        : []),
      ...grantFacts(grant, now),
      ['Did last', lastWords(last, now)],
    ])}</div></section>
${
  maySuspend && grant.status === 'active'
    ? html`<p id="suspend"><a class="button danger" href="${suspendPath(id)}">Suspend…</a> <a class="button danger" href="${suspendClientPath(client.id)}">Every grant of ${client.name}…</a></p>`
    : ''
}
<ul><li><a href="${operationsPath({ grant_id: id })}">Operations of this grant</a></li>
<li><a href="${operationsPath({ same_owner_as: id })}">Operations of this person, by all clients</a></li>
<li><a href="${grantsPath({ same_owner_as: id })}">Grants of this person, to all clients</a></li>
<li><a href="${operationsPath({ client_id: client.id })}">Operations of ${client.name}</a></li>
<li><a href="${grantsPath({ client_id: client.id, subject })}">Grants of this owner to ${client.name}</a></li>
<li><a href="${paths.grants}">All grants</a></li></ul>`,
  }
}

export function grantFacts(grant: OperatorGrant, now: Date): [string, HtmlValue][] {
  const { id, client, subject, scopes, created_at, last_used_at, operations_in_flight } = grant
  return [
    [
      'Client',
      html`<strong>${client.name}</strong> <span class="soft">${profileWords[client.profile]}</span><br><span class="id">${client.id}</span>`,
    ],
    ['Owner', html`<span class="id">${subject}</span>`],
    ['Allows', scopes.length === 0 ? 'Nothing' : html`${scopes.map((scope) => html`<code>${scope}</code> `)}`],
    ['Given', instant(new Date(created_at), now)],
    ['Last token', last_used_at === null ? 'None yet' : instant(new Date(last_used_at), now)],
    ['In flight', String(operations_in_flight)],
    ['Grant', html`<span class="id">${id}</span>`],
  ]
}

function said(flash: string): Html | undefined {
  if (flash === 'suspended')
    return notice('good', html`<strong>${texts.grant.suspended}</strong> ${texts.grant.suspendedMore}`)
  if (flash === 'already_suspended')
    return notice('neutral', html`<strong>${texts.grant.nothingChanged}</strong> ${texts.grant.suspendedBefore}`)
  if (flash === 'not_active')
    return notice('warning', html`<strong>${texts.grant.nothingChanged}</strong> ${texts.grant.endedBefore}`)
  return undefined
}
