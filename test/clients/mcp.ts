/** The MCP server's tools, as the cases drive them. */

import { FinancialAgents, memoryStore } from '@financial-agents/client'
import { device } from '@financial-agents/client/auth/device'
import type { Answer } from '../../libs/clients/mcp/src/answer.ts'
import { draftsIn } from '../../libs/clients/mcp/src/drafts.ts'
import { OwnerDesk } from '../../libs/clients/mcp/src/owner-desk.ts'
import { performer } from '../../libs/clients/mcp/src/perform.ts'
import { createServer } from '../../libs/clients/mcp/src/server.ts'
import type { Dependencies } from '../../libs/clients/mcp/src/tool.ts'
import { tools } from '../../libs/clients/mcp/src/tools/all.ts'
import { payeeId } from './answers.ts'
import { type Client, type Ended, sessionOf } from './client.ts'

type Context = Parameters<ReturnType<typeof performer>>[1]

const endings: Partial<Record<Answer['status'], Ended['is']>> = {
  ok: 'done',
  succeeded: 'done',
  failed: 'failed',
  cancelled: 'failed',
  still_running: 'running',
  refused: 'refused',
  unavailable: 'unavailable',
  unknown: 'uncertain',
  indeterminate: 'uncertain',
  needs_owner: 'needs_owner',
}

export const mcp: Client = {
  name: 'mcp',
  acts: ['pay', 'read', 'show', 'list', 'wait'],
  start: async ({ origin, retryForMs, isExpired }) => {
    const store = memoryStore()
    await store.set(`${origin}/app/owner/session`, sessionOf(isExpired))
    const desk = new OwnerDesk(600_000)
    const auth = desk.watched(device({ scopes: [] }))
    const { onOwnerNeeded } = desk
    const agent = FinancialAgents({ baseUrl: origin, clientId: 'app', store, auth, onOwnerNeeded, retryForMs })
    const now = Date.now
    const drafts = draftsIn(store, now)
    const limits = { readOnly: false, maxPerPayment: {}, tools: undefined }
    const dependencies: Dependencies = { agent, desk, drafts, limits, store, now, waitMs: 15_000, unknown: new Set() }
    const server = createServer(dependencies)
    const handles = new Map<string, string>()
    const handleOf = async (amount: string) => {
      const known = handles.get(amount)
      if (known !== undefined) return known
      const { handle } = await drafts.prepare({ beneficiary_id: payeeId, amount, currency: 'EUR' })
      handles.set(amount, handle)
      return handle
    }
    const call = async (name: string, args: object): Promise<Ended> => {
      const tool = tools.find((one) => one.name === name)
      if (!tool) throw new Error(`there is no tool ${name}`)
      const context = { mcpReq: { signal: new AbortController().signal } } as unknown as Context
      const { structuredContent } = (await performer(tool, dependencies, server)(args, context)) as {
        structuredContent: Answer
      }
      const answer = structuredContent
      const is = endings[answer.status]
      if (!is) throw new Error(`no case expects ${JSON.stringify(answer)}`)
      if (is === 'uncertain' && !answer.do_not_repeat) throw new Error('an uncertain answer may be repeated')
      const named = (answer['operation'] as { id?: string } | undefined)?.id ?? answer.next?.arguments['operation_id']
      return { is, operation: named as string | undefined, code: answer.problem?.code, message: answer.message }
    }
    return {
      do: async ({ do: act, amount, operation, timeoutMs }) => {
        if (act === 'pay') return call('submit_payment', { handle: await handleOf(amount) })
        if (act === 'read') return call('list_accounts', {})
        if (act === 'list') return call('list_operations', {})
        if (act === 'show') return call('get_operation', { operation_id: operation })
        return call('wait_for_operation', {
          operation_id: operation,
          seconds: Math.min(30, Math.max(1, timeoutMs / 1_000)),
        })
      },
    }
  },
}
