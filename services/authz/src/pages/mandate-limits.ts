/**
 * The page on which an owner lowers the limits of one mandate. It only takes authority away, so it needs no recent
 * sign-in. The service beneficiaries validates the limits again, under the mandate's lock.
 */

import type { OwnerMandate } from '@financial-agents/bus/messages/resources'
import { call } from '@financial-agents/bus/rpc'
import { amountWords } from '@financial-agents/contract/amount-words'
import { type CapRefusal, findCapRefusals, type MandateCaps } from '@financial-agents/contract/lower-caps'
import { Problem } from '@financial-agents/contract/problem'
import { mandateCaps } from '@financial-agents/contract/schemas/mandate'
import { readAmount, tooFine } from '@financial-agents/owner-pages/ceilings'
import { type CapErrors, mandateLimitsView } from '@financial-agents/owner-pages/mandate-limits'
import { refusals } from '@financial-agents/owner-pages/refusal'
import { pagePaths, pathTo } from '@financial-agents/pages/page-paths'
import type { Reader } from '@financial-agents/pages/reader'
import { callContext } from '@financial-agents/pages/tunnel/call-context'
import type { FastifyInstance } from 'fastify'
import { auditOwner } from '../browser/owner-audit.ts'
import { type Flash, setFlash } from './flash.ts'
import { getMandate } from './mandate.ts'
import { checkForm, type Form, getSession, hiddenToken, redirect } from './page-request.ts'
import type { PageTools } from './page-tools.ts'
import { sendSignedIn } from './signed-in.ts'

type Params = { Params: { mandateId: string } }

export function addMandateLimitsPage(app: FastifyInstance, tools: PageTools): void {
  const { sessions } = tools

  app.get<Params>(pagePaths.accountMandateLimits, async (request, reply) => {
    const session = await sessions.find(request, 'use')
    if (!session) return redirect(reply, pagePaths.account)
    const mandate = await getMandate(tools, session.ownerId, request.params.mandateId)
    if (mandate.state !== 'active') throw refusals.notFound()
    const hidden = hiddenToken(tools, 'session', session.uid)
    const reader = await tools.readers.find(request, session.ownerId)
    return sendSignedIn(tools, reply, session, mandateLimitsView({ mandate, written: {}, errors: {}, hidden, reader }))
  })

  app.post<Params>(pagePaths.accountMandateLimits, async (request, reply) => {
    const session = await getSession(tools, request)
    const form = checkForm(request, tools, ['session', session.uid])
    const { ownerId: owner_id } = session
    const mandate = await getMandate(tools, owner_id, request.params.mandateId)
    const reader = await tools.readers.find(request, owner_id)
    const { caps, errors } = readCaps(form, mandate, reader)
    if (Object.keys(errors).length > 0) {
      const hidden = hiddenToken(tools, 'session', session.uid)
      return sendSignedIn(tools, reply, session, mandateLimitsView({ mandate, written: form, errors, hidden, reader }))
    }
    const flash = await lower(tools, { owner_id, mandate_id: mandate.id, caps })
    if (flash === 'mandate_lowered') {
      const before = Object.fromEntries(mandateCaps.map((cap) => [cap, mandate[cap]]))
      const detail = { mandate_id: mandate.id, before, after: caps }
      await auditOwner(tools, request, 'mandate_caps_lowered', { owner_id, detail })
    }
    setFlash(reply, tools, flash)
    return redirect(reply, pathTo(pagePaths.accountMandate, { mandateId: mandate.id }))
  })
}

async function lower(
  { bus, log }: PageTools,
  asked: { owner_id: string; mandate_id: string; caps: MandateCaps },
): Promise<Flash> {
  try {
    await call(bus, 'int.beneficiaries.owner-action', { ...asked, action: 'lower' }, callContext())
    return 'mandate_lowered'
  } catch (error) {
    // A payment or another act changed the mandate after the page was sent, so the limits on the page are out of date.
    if (!(error instanceof Problem) || !['mandate_not_active', 'validation_failed'].includes(error.code)) throw error
    log.warn({ err: error, mandate_id: asked.mandate_id }, 'an owner could not lower the caps of a mandate')
    return 'mandate_not_lowered'
  }
}

/** An empty field keeps its limit. */
function readCaps(form: Form, mandate: OwnerMandate, reader: Reader): { caps: MandateCaps; errors: CapErrors } {
  const read = mandateCaps.map((cap) => {
    const written = form[cap]?.trim() ?? ''
    return [cap, written === '' ? mandate[cap] : readAmount(written)] as const
  })
  const hint = reader.say('limitFields')('amountHint')
  const unread = read.filter(([, amount]) => amount === undefined).map(([cap]) => [cap, hint])
  const caps = Object.fromEntries(read) as MandateCaps
  if (unread.length > 0) return { caps, errors: Object.fromEntries(unread) as CapErrors }
  const refused = findCapRefusals(mandate, caps).map((one) => [one.path, messageOf(one, mandate.currency, reader)])
  return { caps, errors: Object.fromEntries(refused) as CapErrors }
}

function messageOf(refusal: CapRefusal, currency: string, reader: Reader): string {
  const say = reader.say('mandates')
  if (!('amount' in refusal)) return refusal.reason === 'zero' ? say('zero') : tooFine(currency, reader)
  return say(refusal.reason, { amount: amountWords(refusal.amount, currency, reader.locale) })
}
