/**
 * `GET` and `POST /hosted/approvals/{token}`: the page on which a person approves or declines one instruction, once.
 * The browser then returns to the application's address without additions.
 */

import { html } from '@financial-agents/pages/html'
import type { FastifyInstance } from 'fastify'
import type { Approval } from '../approvals.ts'
import { facts, type NoticeState, page, sendBack, sendNotice, sendPage } from '../hosted-page.ts'
import type { ReceivedBody } from '../mutation.ts'
import { testUsers } from '../test-users.ts'
import type { World } from '../world.ts'

type Params = { Params: { token: string } }

const decisions = { approve: 'granted', decline: 'declined' } as const

export function addHostedApproval(app: FastifyInstance, { approvals }: World): void {
  const findNotice = (found: Approval | undefined): NoticeState | undefined => {
    if (found === undefined) return 'unknown'
    const status = approvals.status(found)
    if (status === 'pending') return undefined
    return status === 'expired' ? 'expired' : 'used'
  }

  app.get<Params>('/hosted/approvals/:token', async (request, reply) => {
    const found = approvals.findByToken(request.params.token)
    const notice = findNotice(found)
    if (found === undefined || notice) return sendNotice(reply, notice ?? 'unknown')
    return sendPage(reply, 'choice', 200, approvalPage(found))
  })

  app.post<Params>('/hosted/approvals/:token', async (request, reply) => {
    const found = approvals.findByToken(request.params.token)
    const form = new URLSearchParams((request.body as ReceivedBody | undefined)?.text ?? '')
    const chosen = form.get('decision')
    // A second click interrupts the way back of the first one.
    if (found && (chosen === 'approve' || chosen === 'decline') && approvals.status(found) === decisions[chosen])
      return sendBack(reply, found.returnUrl)
    const notice = findNotice(found)
    if (found === undefined || notice) return sendNotice(reply, notice ?? 'unknown')
    if (chosen !== 'approve' && chosen !== 'decline') return sendPage(reply, 'choice', 422, approvalPage(found))
    approvals.decide(found, decisions[chosen])
    return sendBack(reply, found.returnUrl)
  })
}

function approvalPage({ testUser, returnUrl, title, words }: Approval): string {
  const person = testUsers.find(({ id }) => id === testUser)
  const asking = returnUrl === null ? 'An application' : new URL(returnUrl).host
  return page(
    `${title}: approve?`,
    html`<h1>${title}</h1>
<p>${asking} asks you, <span lang="${person?.locale ?? 'en'}">${person?.name ?? testUser}</span>, to approve this. Nothing has moved yet.</p>
${facts(words)}
<form method="post">
<div class="actions">
<button name="decision" value="approve">Approve</button>
<button class="second" name="decision" value="decline">Decline</button>
</div>
</form>`,
  )
}
