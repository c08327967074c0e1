/** The calls that catalog answers. */

import type { OperationKind } from '@financial-agents/operation-machine/kinds'
import { call } from './row.ts'

export const catalogCalls = {
  'rpc.catalog.offered-kinds': call<null, { kinds: OperationKind[] }>({
    askedBy: ['gateway'],
    meaning:
      'the kinds of operations that at least one provider of this installation offers, as its adapter declares them',
  }),
}
