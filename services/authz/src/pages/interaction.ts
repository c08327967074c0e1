/**
 * The pages of an authorization that waits for its owner: one leads to the sign-in, the other asks for consent. Every
 * address here belongs to one browser, by the cookie of that interaction.
 */

import { refusals } from '@financial-agents/owner-pages/refusal'
import { signedInView, signInView } from '@financial-agents/owner-pages/sign-in'
import { pagePaths, pathTo } from '@financial-agents/pages/page-paths'
import { getAlone } from '@financial-agents/pages/tunnel/route-table'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { OwnerInteraction } from '../provider/interaction.ts'
import { interactionPath } from '../provider/paths.ts'
import { consentView } from './consent.ts'
import { answerAgain, decline, findDecided, sendDecided } from './decided.ts'
import { getClientOf, getInteraction } from './interaction-request.ts'
import { checkForm, hiddenToken, redirect, sendView } from './page-request.ts'
import type { PageTools } from './page-tools.ts'
import { refuseStart } from './sign-in.ts'

type Params = { uid: string }

export function addInteractionPages(app: FastifyInstance, tools: PageTools): void {
  const { interactions, signIns } = tools

  app.get<{ Params: Params }>(pagePaths.interaction, async (request, reply) => {
    const decided = await findDecided(tools, request)
    if (decided) return sendDecided(tools, decided, request, reply)
    const interaction = await getInteraction(tools, request, reply)
    const view = interaction.prompt === 'login' ? undefined : await consentView(tools, interaction, request)
    return sendView(reply, view ?? (await handOff(tools, interaction, request)), tools)
  })

  app.post<{ Params: Params }>(pagePaths.interactionSignIn, async (request, reply) => {
    if (await findDecided(tools, request)) return redirect(reply, interactionPath(request.params.uid))
    const { uid } = await getInteraction(tools, request, reply)
    checkForm(request, tools, ['interaction', uid])
    const started = await signIns.start(request, reply, afterSignIn(uid))
    if (started.type !== 'started') throw refuseStart(started)
    return redirect(reply, started.url)
  })

  app.get<{ Params: Params; Querystring: { go?: unknown } }>(
    pagePaths.interactionSignedIn,
    getAlone,
    async (request, reply) => {
      if (await findDecided(tools, request)) return redirect(reply, interactionPath(request.params.uid))
      const { uid, redirectUri } = await getInteraction(tools, request, reply)
      // The browser is still following the redirects after a form of the provider's page. That page's policy cannot know
      // the scheme of an application, so a browser would stop here. A page of ours in between starts a new navigation.
      if (leavesTheWeb(redirectUri) && request.query.go === undefined)
        return sendView(reply, signedInView(`${afterSignIn(uid)}?go=1`, tools.readers.of(request)), tools)
      const signedIn = await signIns.consume(request, afterSignIn(uid))
      if (!signedIn) throw refusals.unknownSignIn()
      return interactions.finishSignIn(request, reply, signedIn)
    },
  )

  // Onboarding is asked again, because an address alone must not end an authorization.
  app.get<{ Params: Params; Querystring: { state?: unknown } }>(
    pagePaths.interactionDeclined,
    getAlone,
    async (request, reply) => {
      const decided = await findDecided(tools, request)
      if (decided) return answerAgain(tools, decided, 'declined', request, reply)
      const interaction = await getInteraction(tools, request, reply)
      const { state } = request.query
      const found = typeof state === 'string' ? await signIns.finish(request, state) : undefined
      if (found?.type !== 'declined' || found.next !== afterSignIn(interaction.uid)) throw refusals.unknownSignIn()
      return decline(tools, interaction, request, reply, 'the owner declined to sign in')
    },
  )

  app.post<{ Params: Params }>(pagePaths.interactionDecline, async (request, reply) => {
    const decided = await findDecided(tools, request)
    if (decided) {
      checkForm(request, tools, ['interaction', decided.uid])
      return answerAgain(tools, decided, 'declined', request, reply)
    }
    const interaction = await getInteraction(tools, request, reply)
    checkForm(request, tools, ['interaction', interaction.uid])
    return decline(tools, interaction, request, reply)
  })
}

function afterSignIn(uid: string): string {
  return pathTo(pagePaths.interactionSignedIn, { uid })
}

async function handOff(tools: PageTools, interaction: OwnerInteraction, request: FastifyRequest) {
  const { uid, prompt, reasons, redirectUri, device } = interaction
  const client = await getClientOf(tools, interaction)
  return signInView({
    reader: await tools.readers.find(request, interaction.owner?.ownerId),
    clientName: client.name,
    face: await tools.faces.of(client),
    profile: client.profile,
    again: interaction.owner !== undefined,
    suspended: reasons.includes('grant_suspended'),
    toConnect: prompt === 'consent',
    redirectUri,
    device,
    signInOrigin: tools.signInOrigin,
    signIn: pathTo(pagePaths.interactionSignIn, { uid }),
    decline: pathTo(pagePaths.interactionDecline, { uid }),
    hidden: hiddenToken(tools, 'interaction', uid),
  })
}

function leavesTheWeb(redirectUri: string | undefined): boolean {
  return redirectUri !== undefined && !/^https?:/.test(redirectUri)
}
