/**
 * `GET` and `POST /hosted/identity-checks/{token}`: the page on which an invented person shows invented papers. The
 * visitor chooses the result of the check.
 */

import { html } from '@financial-agents/pages/html'
import type { IdentityStatus } from '@financial-agents/provider-port/identity'
import type { FastifyInstance } from 'fastify'
import { page, sendBack, sendNotice, sendPage } from '../hosted-page.ts'
import type { HostedSession } from '../hosted-sessions.ts'
import type { ReceivedBody } from '../mutation.ts'
import { testUsers } from '../test-users.ts'
import type { World } from '../world.ts'

type Params = { Params: { token: string } }

const endings: ReadonlyMap<string, { status: IdentityStatus['status']; reason: string | null; caption: string }> =
  new Map([
    ['pass', { status: 'verified', reason: null, caption: 'The papers are in order' }],
    ['review', { status: 'in_review', reason: null, caption: 'Somebody has to look at them' }],
    ['refuse', { status: 'rejected', reason: 'document_unreadable', caption: 'They cannot be read' }],
    ['leave', { status: 'pending', reason: null, caption: 'Some of them are still to come' }],
    ['expire', { status: 'expired', reason: 'document_expired', caption: 'They have run out' }],
  ])

export function addHostedIdentityCheck(app: FastifyInstance, { identities, identityChecks }: World): void {
  app.get<Params>('/hosted/identity-checks/:token', async (request, reply) => {
    const found = identityChecks.findByToken(request.params.token)
    if (found === undefined) return sendNotice(reply, 'unknown')
    return identityChecks.isOpen(found)
      ? sendPage(reply, 'choice', 200, checkPage(found))
      : sendNotice(reply, 'expired')
  })

  app.post<Params>('/hosted/identity-checks/:token', async (request, reply) => {
    const found = identityChecks.findByToken(request.params.token)
    if (found === undefined) return sendNotice(reply, 'unknown')
    if (!identityChecks.isOpen(found)) return sendNotice(reply, 'expired')
    const form = new URLSearchParams((request.body as ReceivedBody | undefined)?.text ?? '')
    const ending = endings.get(form.get('ending') ?? '')
    if (ending === undefined) return sendPage(reply, 'choice', 422, checkPage(found))
    identities.record(found.testUser, ending.status, ending.reason)
    return sendBack(reply, found.content.returnUrl)
  })
}

function checkPage({ testUser }: HostedSession<unknown>): string {
  const person = testUsers.find(({ id }) => id === testUser)
  const buttons = [...endings].map(
    ([name, { caption }]) => html`<button class="second" name="ending" value="${name}">${caption}</button>
`,
  )
  return page(
    'Who are you?',
    html`<h1>Show your papers</h1>
<p>A real provider would now look at the papers of <span lang="${person?.locale ?? 'en'}">${person?.name ?? testUser}</span>. Choose what it finds.</p>
<form method="post"><div class="actions">
${buttons}</div></form>`,
  )
}
