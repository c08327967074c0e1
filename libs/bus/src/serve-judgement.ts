/**
 * Answers if a write would be refused now, before its owner is asked to confirm it. The write's own judgement decides,
 * and writes nothing. The answer is null, or the problem with which the write would be refused.
 */

import type { Principal } from '@financial-agents/contract/principal'
import type { GrantPolicy } from '@financial-agents/contract/schemas/authorization'
import type { Log } from '@financial-agents/runtime/log'
import type { Calls } from './calls.ts'
import type { Bus } from './connect.ts'
import type { MessageContext } from './headers.ts'
import { serveCall } from './rpc.ts'

/** The subjects that answer a JudgeRequest. */
type JudgementSubject = Extract<keyof Calls, `int.${string}.judge-${string}`>

/** The principal and the policy under which a write is judged. A route handler's context has them. */
export type WriteAsker = Omit<MessageContext, 'principal'> & { principal: Principal; policy: GrantPolicy }

/** @param judge throws the problem that refuses the write */
export function serveJudgement<Subject extends JudgementSubject>(
  bus: Bus,
  subject: Subject,
  judge: (request: Calls[Subject]['request'], asker: WriteAsker) => Promise<void>,
  options: { log: Log },
): void {
  serveCall(
    bus,
    subject,
    async (request, context) => {
      const { principal, policy } = request
      await judge(request, { ...context, principal, policy })
      return null
    },
    options,
  )
}
