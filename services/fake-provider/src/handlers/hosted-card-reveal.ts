/** `GET /hosted/card-reveals/{token}`: the whole number of a card, for two minutes. The number is invented. */

import { html } from '@financial-agents/pages/html'
import type { FastifyInstance } from 'fastify'
import { facts, page, sendNotice, sendPage } from '../hosted-page.ts'
import type { World } from '../world.ts'

export function addHostedCardReveal(app: FastifyInstance, { cardReveals }: World): void {
  app.get<{ Params: { token: string } }>('/hosted/card-reveals/:token', async (request, reply) => {
    const found = cardReveals.findByToken(request.params.token)
    if (found === undefined) return sendNotice(reply, 'unknown')
    if (!cardReveals.isOpen(found)) return sendNotice(reply, 'expired')
    const { brand, number, terms } = found.content.content
    const rows: [string, string][] = [
      ['Brand', brand],
      ['Number', number.replaceAll(/(\d{4})(?=\d)/g, '$1 ')],
      ['Good until', '12/39'],
      ['Security code', number.slice(-3)],
    ]
    const title = terms.title ?? 'Your card'
    return sendPage(reply, 'notice', 200, page(title, html`<h1>${title}</h1>${facts(rows)}`))
  })
}
