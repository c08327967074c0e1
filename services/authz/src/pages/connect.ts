/**
 * Connecting to the provider: a page that lists the access that works again, and the act itself, after a recent
 * sign-in.
 */

import { connectView } from '@financial-agents/owner-pages/connect'
import { ownSignIn } from '@financial-agents/owner-pages/sign-in'
import { pagePaths } from '@financial-agents/pages/page-paths'
import type { FastifyInstance } from 'fastify'
import { connectChosen, findStanding, listWorksAgain } from './connecting.ts'
import { type Flash, setFlash } from './flash.ts'
import { checkForm, getSession, hiddenToken, redirect } from './page-request.ts'
import type { PageTools } from './page-tools.ts'
import { refuseStart } from './sign-in.ts'
import { sendSignedIn } from './signed-in.ts'

const words = {
  connected: 'connected',
  connected_already: 'connected_already',
  ending: 'still_ending',
} as const satisfies { [T in Done]: Flash }
type Done = Exclude<Awaited<ReturnType<typeof connectChosen>>['type'], 'sign_in_again'>

export function addConnectPages(app: FastifyInstance, tools: PageTools): void {
  const { sessions, signIns } = tools

  app.get(pagePaths.accountConnect, async (request, reply) => {
    const session = await sessions.find(request, 'use')
    if (!session) return redirect(reply, pagePaths.account)
    const [standing, reader] = await Promise.all([
      findStanding(tools, session),
      tools.readers.find(request, session.ownerId),
    ])
    if (standing.type === 'sign_in_again') {
      const say = reader.say('signIn')
      const view = ownSignIn({
        reader,
        title: say('againToConnect'),
        lead: say('connectLead'),
        action: pagePaths.accountConnectSignIn,
        hidden: hiddenToken(tools, 'browser', signIns.browserOf(request, reply)),
        signInOrigin: tools.signInOrigin,
        message: undefined,
      })
      return sendSignedIn(tools, reply, session, view)
    }
    if (standing.type !== 'ready') {
      setFlash(reply, tools, standing.type === 'ending' ? 'still_ending' : 'connected_already')
      return redirect(reply, pagePaths.account)
    }
    const worksAgain = await listWorksAgain(tools, session.ownerId)
    const view = connectView({
      providerName: standing.provider_name,
      worksAgain,
      reader,
      hidden: hiddenToken(tools, 'session', session.uid),
    })
    return sendSignedIn(tools, reply, session, view)
  })

  app.post(pagePaths.accountConnectSignIn, async (request, reply) => {
    checkForm(request, tools, ['browser', signIns.browserOf(request, reply)])
    const started = await signIns.start(request, reply, pagePaths.accountConnect)
    if (started.type !== 'started') throw refuseStart(started)
    return redirect(reply, started.url)
  })

  app.post(pagePaths.accountConnect, async (request, reply) => {
    const session = await getSession(tools, request)
    const form = checkForm(request, tools, ['session', session.uid])
    const { type } = await connectChosen(tools, request, session, form)
    if (type === 'sign_in_again') return redirect(reply, pagePaths.accountConnect)
    setFlash(reply, tools, words[type])
    return redirect(reply, pagePaths.account)
  })
}
