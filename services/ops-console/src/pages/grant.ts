/** The page of one grant. A suspension also ends here. */

import type { OperatorGrant } from '@financial-agents/contract/schemas/operator'
import type { ConsolePage, PageRequest } from '../http/console-page.ts'
import { refusals } from '../http/refusals.ts'
import { freshAnswer } from './fresh-answer.ts'
import { grantView } from './views/grant.ts'

export const grantPage: ConsolePage = {
  method: 'GET',
  path: '/ops/grants/:grant_id',
  scope: 'ops:read',
  answer: async (request) => {
    const grant = await getGrant(request)
    const [activity] = await request.grantActivity([grant.id])
    const maySuspend = request.session.scopes.includes('ops:suspend')
    const last = activity?.last ?? null
    return freshAnswer(grantView({ grant, last, maySuspend, flash: request.flash, now: new Date() }))
  },
}

/** @throws PageRefusal */
export async function getGrant({ api, params }: Pick<PageRequest, 'api' | 'params'>): Promise<OperatorGrant> {
  const { items } = await api.listGrants({ grant_id: params['grant_id'] ?? '' })
  if (!items[0]) throw refusals.notFound()
  return items[0]
}
