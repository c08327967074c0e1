/**
 * One request of an application as a table of facts, which the owner confirms or declines; and the view of a decided
 * request, on which the owner takes back a confirmation that is not used.
 */

import type { OwnerIntent } from '@financial-agents/bus/messages/intents'
import { foreignValue } from '@financial-agents/pages/foreign-name'
import { type Html, html } from '@financial-agents/pages/html'
import { pagePaths, pathTo } from '@financial-agents/pages/page-paths'
import { button, facts, form, notice, type Tone } from '@financial-agents/pages/parts'
import type { Reader } from '@financial-agents/pages/reader'
import { party } from './client.ts'
import { openingOf, rowsOf } from './confirmed-words.ts'
import type { View } from './view.ts'

type Shown = {
  clientName: string
  /** The address of the application's logo. */
  logo: string | undefined
  intent: OwnerIntent
  reader: Reader
  action: string
  hidden: Readonly<Record<string, string>>
}

export function confirmView(data: Shown): View {
  const { clientName, logo, intent, reader, action, hidden } = data
  const say = reader.say('confirm')
  return {
    rights: { forms: true, pictures: logo !== undefined },
    page: {
      reader,
      title: reader.say('confirmQuestions')(intent.action),
      main: html`<div class="card stack">${party(clientName, say('asks'), { logo })}
<p class="summary">${openingOf(intent, reader)}</p>
${facts([
  ...rowsOf(intent, reader),
  [say('asked'), reader.timestamp(new Date(intent.created_at))],
  [say('before'), reader.timestamp(new Date(intent.expires_at))],
])}</div>
${original(intent, reader)}
<p class="soft">${say('only')}</p>
${form({
  action,
  hidden,
  body: html`<div class="actions">${button('primary', say('confirm'), 'confirm')}${button('secondary', say('decline'), 'decline')}</div>`,
})}`,
    },
  }
}

/** The bound words beside their translation. */
function original(intent: OwnerIntent, reader: Reader): Html | string {
  if (reader.language === 'en') return ''
  return html`<details><summary>${reader.say('confirm')('original')}</summary><div lang="en" dir="ltr" class="stack"><p class="summary">${intent.opening}</p>${facts(
    intent.facts.map(({ label, value, foreign }) => [label, foreign ? foreignValue(value) : value]),
  )}</div></details>`
}

const tones: { readonly [S in Exclude<OwnerIntent['status'], 'pending'>]: Tone } = {
  confirmed: 'good',
  declined: 'neutral',
  consumed: 'good',
  expired: 'warning',
}

/** The actions after which the provider may ask for the owner's approval. */
const maySendOn: ReadonlySet<OwnerIntent['action']> = new Set(['mandate_create', 'transfer'])

/** `waited`: the browser has waited for the application long enough, so that the page does not wait again by itself. */
export function decidedView(data: Shown & { next: string; waited: boolean }): View {
  const { clientName, logo, intent, reader, action, hidden, next, waited } = data
  const say = reader.say('confirm')
  const isConfirmed = intent.status === 'confirmed'
  const isWaiting = isConfirmed && maySendOn.has(intent.action)
  const status = intent.status === 'pending' ? 'expired' : intent.status
  return {
    rights: { forms: isConfirmed, pictures: logo !== undefined },
    page: {
      reader,
      title: say(status),
      refreshTo: isWaiting && !waited ? next : undefined,
      notice: notice(tones[status], say(`${status}More`)),
      main: html`<div class="card stack">${party(clientName, reader.say('confirmActions')(intent.action), { logo })}<p class="summary">${openingOf(intent, reader)}</p>${facts(rowsOf(intent, reader))}</div>
${original(intent, reader)}
${
  isWaiting
    ? html`<p>${say('approvalFollows')}</p>
<p><a class="button secondary" href="${next}">${say('goOn')}</a></p>`
    : ''
}
${isConfirmed ? form({ action, hidden, body: button('secondary', say('takeBack'), 'decline') }) : ''}
${outcome(intent, reader)}
<p>${say.rich('close', {}, { a: (text) => html`<a href="${pagePaths.account}">${text}</a>` })}</p>`,
    },
  }
}

/** The way to the operation that used the confirmation. */
function outcome({ operation_id }: OwnerIntent, reader: Reader): Html | string {
  if (operation_id === null) return ''
  const href = pathTo(pagePaths.accountOperation, { operationId: operation_id })
  return html`<p><a href="${href}">${reader.say('confirm')('outcome')}</a></p>`
}
