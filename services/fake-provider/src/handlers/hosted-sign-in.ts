/**
 * `GET` and `POST /hosted/sign-in/{token}`: the page at which a person approves or declines, once. The browser then goes
 * back to the application with nothing added to its address.
 */

import type { FastifyInstance, FastifyReply } from 'fastify'
import { choicePage, contentSecurityPolicy, type NoticeState, noticePage } from '../hosted-page.ts'
import type { ReceivedBody } from '../mutation.ts'
import { personas } from '../personas.ts'
import type { World } from '../world.ts'

type Params = { Params: { token: string } }

export function addHostedSignIn(app: FastifyInstance, { deviceAuthentications }: World): void {
  const over = (reply: FastifyReply, status: 'approved' | 'declined' | 'expired', returnUrl: string) =>
    sendNotice(reply, 410, status === 'expired' ? 'expired' : 'used', returnUrl)

  app.get<Params>('/hosted/sign-in/:token', async (request, reply) => {
    const found = deviceAuthentications.findByToken(request.params.token)
    if (found === undefined) return sendNotice(reply, 404, 'unknown')
    const status = deviceAuthentications.status(found)
    if (status !== 'waiting') return over(reply, status, found.returnUrl)
    return sendPage(reply, 200, choicePage(found.returnUrl), found.returnUrl)
  })

  app.post<Params>('/hosted/sign-in/:token', async (request, reply) => {
    const found = deviceAuthentications.findByToken(request.params.token)
    if (found === undefined) return sendNotice(reply, 404, 'unknown')
    const form = new URLSearchParams((request.body as ReceivedBody | undefined)?.text ?? '')
    const persona = personas.find(({ id }) => id === form.get('persona'))
    const wanted = form.get('decision')
    const status = deviceAuthentications.status(found)
    if (status !== 'waiting') return over(reply, status, found.returnUrl)
    if (wanted === 'decline') deviceAuthentications.decide(found, { type: 'declined' })
    else if (wanted === 'approve' && persona) deviceAuthentications.decide(found, { type: 'approved', persona })
    else return sendPage(reply, 422, choicePage(found.returnUrl, { nothingChosen: true }), found.returnUrl)
    return secure(reply, found.returnUrl).redirect(found.returnUrl, 303)
  })
}

function sendNotice(reply: FastifyReply, status: number, state: NoticeState, returnUrl?: string): FastifyReply {
  return sendPage(reply, status, noticePage(state, returnUrl), returnUrl)
}

function sendPage(reply: FastifyReply, status: number, page: string, returnUrl?: string): FastifyReply {
  return secure(reply, returnUrl).code(status).type('text/html; charset=utf-8').send(page)
}

function secure(reply: FastifyReply, returnUrl?: string): FastifyReply {
  return reply.headers({
    'content-security-policy': contentSecurityPolicy(returnUrl),
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  })
}
