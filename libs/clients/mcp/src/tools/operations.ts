/** The tools that read one operation. Neither ever submits anything. */

import { objectOf } from '../json-schema.ts'
import { operationAnswer, waited } from '../operation-answer.ts'
import { idOf, type Tool } from '../tool.ts'

const input = { operation_id: idOf('`operation.id` of an earlier answer.') }
const seconds = { type: 'integer', minimum: 1, maximum: 30, description: 'At most 30; by default 20.' } as const
const facts = {
  scopes: ['operations:read'],
  kind: 'read',
  destructive: false,
} as const

export const operations: readonly Tool[] = [
  {
    ...facts,
    name: 'get_operation',
    title: 'Read an operation',
    description: 'How a write stands now. Reading never starts or repeats anything: call it as often as you like.',
    input: objectOf(input, ['operation_id']),
    run: async ({ operation_id: id }, call, { agent }) => {
      const { signal } = call
      call.operationId = String(id)
      const operation = await agent.operations.get(call.operationId, { signal })
      const approved = operation.state === 'requires_action'
      return operationAnswer(approved ? await agent.operations.pollApproval(operation.id, { signal }) : operation)
    },
  },
  {
    ...facts,
    name: 'wait_for_operation',
    title: 'Wait for an operation',
    description:
      'Waits until a write is done, has failed or needs the owner, for `seconds` at most. Running out of time is not a failure.',
    input: objectOf({ ...input, seconds }, ['operation_id']),
    run: async ({ operation_id: id, seconds: given = 20 }, call, { agent }) => {
      call.operationId = String(id)
      const operation = await agent.operations.get(call.operationId, { signal: call.signal })
      return waited(operation, call, Number(given) * 1_000)
    },
  },
]
