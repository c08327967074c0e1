/**
 * Reads the provider for due rows: lock the rows, ask the provider outside any transaction, write the result with its evidence.
 * A read changes nothing at the provider. If a process dies in between, another one reads the row after its lock expires.
 */

import { hash } from 'node:crypto'
import { type Batcher, createBatcher } from '@financial-agents/postgres/batcher'
import { isRowFault } from '@financial-agents/postgres/errors'
import { createCredentials } from '@financial-agents/provider-client/credentials'
import type { LookupResult, Provider } from '@financial-agents/provider-port/port'
import { failpoint } from '@financial-agents/runtime/failpoint'
import { repeat } from '@financial-agents/runtime/repeat'
import { createSealer } from '@financial-agents/runtime/sealing'
import { traced, traceHeaders } from '@financial-agents/runtime/trace'
import type { Dependencies } from './dependencies.ts'
import { noteRead } from './measure.ts'
import { publishEvents } from './publish.ts'
import { postponed, toReading } from './reading.ts'
import type { Reconciliation } from './reconciliation.ts'
import { createSlots } from './slots.ts'
import { lockDue, type Reading, recordReadings } from './store/reads.ts'
import { validate } from './validate.ts'

const maxBatch = 64

export function startReads(dependencies: Dependencies): { stop(): Promise<void> } {
  const { config, clock, db, log } = dependencies
  const slots = createSlots(config.READ_SLOTS)
  const read = createRead(dependencies)
  const reading = new Set<Promise<void>>()

  const work = async () => {
    const count = await slots.acquire(maxBatch)
    let unused = count
    try {
      const now = clock.now()
      const lockedUntil = new Date(now.getTime() + config.LOCK_MS)
      const rows = await lockDue(db, { now, lockedUntil, limit: count })
      unused -= rows.length
      for (const row of rows) {
        const done: Promise<void> = read(row).finally(() => {
          slots.release(1)
          reading.delete(done)
        })
        reading.add(done)
      }
      return rows.length === count
    } finally {
      slots.release(unused)
    }
  }
  const due = repeat({ name: 'due reads', pauseMs: config.DUE_PAUSE_MS, log, work })
  return {
    stop: async () => {
      await due.stop()
      await Promise.allSettled(reading)
    },
  }
}

function createRead(dependencies: Dependencies): (row: Reconciliation) => Promise<void> {
  const { clock, config, log } = dependencies
  const credentials = createCredentials({
    ...dependencies,
    sealer: createSealer(config.CREDENTIAL_KEYS),
    timeoutMs: config.CALL_TIMEOUT_MS,
  })
  const settles = createSettles(dependencies)

  return async (row) => {
    try {
      const held = await credentials.find(row.binding_id)
      const provider = held.type === 'open' ? dependencies.provider.of(held.provider) : undefined
      if (held.type !== 'open' || provider === undefined) {
        noteRead('without_credentials')
        await settles.submit(postponed(row, clock.now()))
        return
      }
      const { result, tookMs } = await lookUp(dependencies, row, { provider, credentials: held.credentials })
      noteRead(result.type === 'found' ? `found_${result.state}` : result.type)
      credentials.dropRefused(row.binding_id, result)
      const decision = validate(row, result, { tookMs, deadlines: provider.deadlines })
      if (decision.review !== null && !row.review)
        log.warn({ operation_id: row.operation_id, reason: decision.review }, 'an operation needs an operator')
      await settles.submit(toReading(row, decision, clock.now(), digest))
    } catch (error) {
      // The lock expires, and the row is read again.
      log.error({ err: error, operation_id: row.operation_id }, 'a read could not be settled')
    }
  }
}

async function lookUp(
  dependencies: Dependencies,
  row: Reconciliation,
  { provider, credentials }: { provider: Provider; credentials: string },
): Promise<{ result: LookupResult; tookMs: number }> {
  const { config, log } = dependencies
  failpoint('read.before')
  const begunAtMs = performance.now()
  const span = { name: `provider lookup ${row.kind}`, kind: 'client', traceparent: row.traceparent } as const
  const result = await traced(span, (traceparent) =>
    provider.lookup({
      kind: row.kind,
      reference: row.operation_id,
      upstreamReference: row.upstream_reference ?? row.late_upstream_reference,
      target: row.target_reference === null ? undefined : { upstreamReference: row.target_reference },
      credentials,
      timeoutMs: config.PROVIDER_TIMEOUT_MS,
      traceHeaders: traceHeaders(traceparent),
    }),
  )
  const tookMs = Math.ceil(performance.now() - begunAtMs)
  failpoint('read.after')
  if (result.type === 'unavailable')
    log.info({ operation_id: row.operation_id, reason: result.reason }, 'a read gave no answer')
  return { result, tookMs }
}

function createSettles({ db, bus, config, clock, log }: Dependencies): Batcher<Reading, boolean> {
  return createBatcher<Reading, boolean>({
    maxItems: maxBatch,
    concurrency: 2,
    target: (reading) => reading.operation_id,
    run: async (readings) => {
      try {
        const now = clock.now()
        const republishAt = new Date(now.getTime() + config.REPUBLISH_AFTER_MS)
        const settled = await recordReadings(db, readings, { now, republishAt })
        const byId = new Map(settled.map((row) => [row.operation_id, row]))
        const mine = readings.filter((reading) => byId.has(reading.operation_id))
        publishEvents(
          bus,
          mine.flatMap((reading) => reading.transition ?? []),
          mine.flatMap((reading) => {
            const row = byId.get(reading.operation_id)
            if (reading.transition !== null || !row?.next_read_at) return []
            const { operation_id, sequence, next_read_at } = row
            return { operation_id, sequence, next_reconcile_at: next_read_at.toISOString(), kind: reading.kind }
          }),
        )
        return new Map(readings.map((reading) => [reading.operation_id, byId.has(reading.operation_id)]))
      } catch (error) {
        if (isRowFault(error)) throw error
        log.warn({ err: error, operations: readings.length }, 'reads were not written; they are made again')
        return new Map(readings.map((reading) => [reading.operation_id, false]))
      }
    },
  })
}

/** SHA-256, base64url, of the text that a read showed. The text itself is not kept. */
function digest(observed: string): string {
  return hash('sha256', observed, 'base64url')
}
