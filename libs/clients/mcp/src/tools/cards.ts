/** The tool that freezes a card. */

import { answer } from '../answer.ts'
import { objectOf } from '../json-schema.ts'
import { getOperation, waited } from '../operation-answer.ts'
import { project } from '../project.ts'
import { idOf, type Tool } from '../tool.ts'

/** Only the owner unfreezes a card. */
export const freezeCard: Tool = {
  name: 'freeze_card',
  title: 'Freeze a card',
  description:
    'Freezes a card at once: it cannot be used until the owner unfreezes it. Freezing it again changes nothing.',
  scopes: ['cards:manage', 'cards:read'],
  kind: 'write',
  destructive: true,
  input: objectOf({ card_id: idOf('`id` of list_cards.') }, ['card_id']),
  run: async ({ card_id: id }, call, { agent, waitMs }) => {
    const card = await agent.cards.get(String(id), { signal: call.signal })
    if (card.state !== 'active' && card.state !== 'unfreezing')
      return answer('ok', {
        message: 'Nothing was sent: this card is not active. `card.state` says how it stands.',
        next: card.pending_operation_id === null ? null : getOperation(card.pending_operation_id),
        card: project('Card', card),
      })
    // The intent names this state of the card. After the card has been unfrozen, the next freeze is another write.
    const intent = `mcp/freeze/${card.id}/${card.updated_at}`
    return waited(await agent.cards.freeze(card.id, { intent, signal: call.signal }), call, waitMs)
  },
}
