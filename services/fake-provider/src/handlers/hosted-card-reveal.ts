/**
 * `GET` and `POST /hosted/card-reveals/{token}`: shows the whole number of a card, once within two minutes, to its
 * person only. The application knows the page's address, so the page first asks for the person and shows nothing of the
 * card. The number and the sign-in are invented.
 */

import { html } from '@financial-agents/pages/html'
import type { FastifyInstance } from 'fastify'
import { facts, type NoticeState, page, sendNotice, sendPage } from '../hosted-page.ts'
import type { HostedSession } from '../hosted-sessions.ts'
import { testUserChoice } from '../hosted-sign-in-page.ts'
import type { ReceivedBody } from '../mutation.ts'
import type { RecordOf } from '../records.ts'
import type { Card } from '../resources.ts'
import type { World } from '../world.ts'

type Params = { Params: { token: string } }

export function addHostedCardReveal(app: FastifyInstance, { cardReveals }: World): void {
  const findNotice = (found: HostedSession<RecordOf<Card>>): NoticeState | undefined => {
    if (cardReveals.isUsed(found)) return 'used'
    return cardReveals.isOpen(found) ? undefined : 'expired'
  }

  app.get<Params>('/hosted/card-reveals/:token', async (request, reply) => {
    const found = cardReveals.findByToken(request.params.token)
    const notice = found ? findNotice(found) : 'unknown'
    return notice ? sendNotice(reply, notice) : sendPage(reply, 'choice', 200, signInPage())
  })

  app.post<Params>('/hosted/card-reveals/:token', async (request, reply) => {
    const found = cardReveals.findByToken(request.params.token)
    const notice = found ? findNotice(found) : 'unknown'
    if (found === undefined || notice) return sendNotice(reply, notice ?? 'unknown')
    const form = new URLSearchParams((request.body as ReceivedBody | undefined)?.text ?? '')
    if (form.get('test_user') !== found.testUser)
      return sendPage(reply, 'choice', 403, signInPage('This card is not the card of the person that you chose.'))
    cardReveals.use(found)
    return sendPage(reply, 'notice', 200, numberPage(found.content.content))
  })
}

function signInPage(wrong?: string): string {
  const title = 'Who are you? Then you see your card'
  return page(
    wrong ? `Error: ${title}` : title,
    html`<h1>${title}</h1>
<p>The number of a card is shown to its person alone, and once.</p>
${wrong ? html`<p class="wrong" role="alert">${wrong}</p>` : ''}
<form method="post">
${testUserChoice()}
<div class="actions"><button>Show the number</button></div>
</form>`,
  )
}

function numberPage({ brand, number, terms }: Card): string {
  const title = terms.label ?? 'Your card'
  const rows: [string, string][] = [
    ['Brand', brand],
    ['Number', number.replaceAll(/(\d{4})(?=\d)/g, '$1 ')],
    ['Good until', '12/39'],
    ['Security code', number.slice(-3)],
  ]
  return page(title, html`<h1>${title}</h1>${facts(rows)}`)
}
