/**
 * `int.onboarding.may-connect` and `int.onboarding.connect`: the owner connects on a page, with the sign-in that has
 * just ended.
 */

import type { Calls } from '@financial-agents/bus/calls'
import type { MessageContext } from '@financial-agents/bus/headers'
import { type ConnectDependencies, connectOwner, mayConnect } from '../connect-owner.ts'

type MayConnect = Calls['int.onboarding.may-connect']
type Connect = Calls['int.onboarding.connect']

export function answerMayConnect(dependencies: ConnectDependencies) {
  return ({ owner_id }: MayConnect['request'], context: MessageContext): Promise<MayConnect['answer']> =>
    mayConnect(dependencies, owner_id, context)
}

/** Announces the change to the gateways at once, instead of at the next background job of the outbox. */
export function connect(dependencies: ConnectDependencies & { announceNow: () => void }) {
  return async ({ owner_id }: Connect['request'], context: MessageContext): Promise<Connect['answer']> => {
    const answer = await connectOwner(dependencies, owner_id, context)
    dependencies.announceNow()
    return answer
  }
}
