/**
 * `GET` and `POST /hosted/sign-in/{token}`: the page on which a person approves or declines, once. The browser then
 * returns to the application's address without additions. No page shows that address: an application recognises by it
 * that the browser that decided is the browser that started.
 */

import type { FastifyInstance } from 'fastify'
import type { Decision, DeviceAuthentication } from '../device-authentications.ts'
import { type NoticeState, sendBack, sendNotice, sendPage } from '../hosted-page.ts'
import { choicePage } from '../hosted-sign-in-page.ts'
import type { ReceivedBody } from '../mutation.ts'
import { testUsers } from '../test-users.ts'
import type { World } from '../world.ts'

type Params = { Params: { token: string } }

export function addHostedSignIn(app: FastifyInstance, { connections, deviceAuthentications }: World): void {
  const findNotice = (found: DeviceAuthentication | undefined): NoticeState | undefined => {
    if (found === undefined) return 'unknown'
    const status = deviceAuthentications.status(found)
    if (status === 'pending') return undefined
    return status === 'expired' ? 'expired' : 'used'
  }

  app.get<Params>('/hosted/sign-in/:token', async (request, reply) => {
    const found = deviceAuthentications.findByToken(request.params.token)
    const notice = findNotice(found)
    if (found === undefined || notice) return sendNotice(reply, notice ?? 'unknown')
    return sendPage(reply, 'choice', 200, choicePage(found.returnUrl))
  })

  app.post<Params>('/hosted/sign-in/:token', async (request, reply) => {
    const found = deviceAuthentications.findByToken(request.params.token)
    const notice = findNotice(found)
    if (found === undefined || notice) return sendNotice(reply, notice ?? 'unknown')
    const decision = readDecision((request.body as ReceivedBody | undefined)?.text ?? '')
    if (decision === undefined)
      return sendPage(reply, 'choice', 422, choicePage(found.returnUrl, { nothingChosen: true }))
    deviceAuthentications.decide(found, decision)
    if (decision.type === 'approved') connections.reopen(decision.testUser.credentials)
    return sendBack(reply, found.returnUrl)
  })
}

function readDecision(body: string): Decision | undefined {
  const form = new URLSearchParams(body)
  const testUser = testUsers.find(({ id }) => id === form.get('test_user'))
  if (form.get('decision') === 'decline') return { type: 'declined' }
  return form.get('decision') === 'approve' && testUser ? { type: 'approved', testUser } : undefined
}
