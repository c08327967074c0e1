/** POST /v1/cards. The provider validates which cards the owner may have. */

import type { Handlers } from '@financial-agents/bus/rpc'
import { validatePlainTexts } from '@financial-agents/contract/plain-text'
import { fieldsProblem } from '@financial-agents/contract/problem'
import type { cardsRoutes } from '@financial-agents/contract/routes/cards'
import { performWrite } from '@financial-agents/writes/perform'
import { cardCreate } from '../card-writes.ts'
import type { Dependencies } from '../dependencies.ts'

export function createCard(dependencies: Dependencies): Handlers<typeof cardsRoutes>['createCard'] {
  return ({ body }, context) =>
    performWrite(dependencies, cardCreate, context, () => {
      const fields = validatePlainTexts(body, ['label'])
      if (fields.length > 0) throw fieldsProblem(fields)
      const { label = null, type, currency } = body
      return { input: { label, type, currency }, payload: { label, type, currency } }
    })
}
