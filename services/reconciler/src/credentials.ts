/**
 * The provider credentials of bindings, asked of onboarding and kept in memory for a short while. `missing` is
 * onboarding's own answer; `unreachable` says nothing about the binding.
 */

import { call } from '@financial-agents/bus/rpc'
import { createBatcher } from '@financial-agents/postgres/batcher'
import { createSealer } from '@financial-agents/runtime/sealing'
import { batchContext, type Parts } from './parts.ts'

export type Credentials = { type: 'open'; credentials: string } | { type: 'missing' } | { type: 'unreachable' }

const keptMs = 30_000
const maxKept = 10_000

export function createCredentials({ bus, config, log }: Pick<Parts, 'bus' | 'config' | 'log'>) {
  const sealer = createSealer(config.CREDENTIAL_KEYS)
  const kept = new Map<string, { credentials: string; untilMs: number }>()
  const underWay = new Map<string, Promise<Credentials>>()

  const open = (bindingId: string, sealed: string): Credentials => {
    try {
      const credentials = sealer.open(Buffer.from(sealed, 'base64'), bindingId).toString('utf8')
      const oldest = kept.size >= maxKept ? kept.keys().next().value : undefined
      if (oldest !== undefined) kept.delete(oldest)
      kept.set(bindingId, { credentials, untilMs: performance.now() + keptMs })
      return { type: 'open', credentials }
    } catch (error) {
      log.error({ err: error, binding_id: bindingId }, 'credentials cannot be opened')
      return { type: 'unreachable' }
    }
  }
  const batcher = createBatcher<string, Credentials>({
    maxItems: 64,
    concurrency: 2,
    target: (bindingId) => bindingId,
    run: async (bindingIds) => {
      try {
        const context = batchContext(config.CALL_TIMEOUT_MS)
        const answer = await call(bus, 'int.onboarding.credentials', { binding_ids: bindingIds }, context)
        const byId = new Map(answer.map((entry) => [entry.binding_id, entry.credentials_sealed]))
        return new Map(
          bindingIds.map((id) => {
            const sealed = byId.get(id)
            return [id, sealed === undefined ? { type: 'missing' } : open(id, sealed)]
          }),
        )
      } catch (error) {
        log.warn(
          { err: error, bindings: bindingIds.length },
          'onboarding gave no credentials; they are asked for again',
        )
        return new Map(bindingIds.map((id) => [id, { type: 'unreachable' }]))
      }
    },
  })

  return {
    /** Everybody who asks for one binding at one time shares one answer. */
    find: (bindingId: string): Promise<Credentials> | Credentials => {
      const known = kept.get(bindingId)
      if (known && known.untilMs > performance.now()) return { type: 'open', credentials: known.credentials }
      kept.delete(bindingId)
      const asked = underWay.get(bindingId)
      if (asked) return asked
      const asking = batcher.submit(bindingId).finally(() => underWay.delete(bindingId))
      underWay.set(bindingId, asking)
      return asking
    },
  }
}
