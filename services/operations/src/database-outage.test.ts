/** The answers of the service while PostgreSQL is out of reach. */

import type { AcceptRequest } from '@financial-agents/bus/messages/operations'
import { call, callRoute } from '@financial-agents/bus/rpc'
import { startTestNats } from '@financial-agents/bus/testing/nats'
import { statement } from '@financial-agents/postgres/database'
import { createClock } from '@financial-agents/runtime/clock'
import { readConfig } from '@financial-agents/runtime/config'
import { createLog } from '@financial-agents/runtime/log'
import { startPostgresProxy } from '@financial-agents/servers/postgres-proxy'
import { makeTestWitness } from '@financial-agents/witness/testing/witness'
import { expect, test } from 'vitest'
import { operationsConfig } from './config.ts'
import { newRequest, openTestOperations, requestVariables } from './operations.test-helper.ts'
import { service } from './service.ts'

test('reads and acceptances are refused as repeatable while PostgreSQL is away, and served once it is back', async () => {
  const [tables, nats] = await Promise.all([openTestOperations({ months: true }), startTestNats()])
  await nats.provision((bus) => makeTestWitness(tables.open(), bus, 'operations'))
  const proxy = await startPostgresProxy(tables.connectionString)
  const config = readConfig(operationsConfig, {
    NATS_URL: nats.server.url,
    NATS_NKEY_SEED: nats.seeds.operations,
    ...requestVariables,
    DATABASE_URL: proxy.connectionString,
  })
  const log = createLog({ service: 'operations', level: 'silent' })
  const started = await service.start({ config, log, clock: createClock(), schema: tables.schema })
  const [area, gateway] = await Promise.all([nats.connect('beneficiaries'), nats.connect('gateway')])
  const context = ({ principal, traceparent }: AcceptRequest) => ({
    requestId: 'request-of-a-test',
    traceparent,
    timeoutMs: 60_000,
    principal,
  })
  const accept = (request: AcceptRequest) => call(area, 'int.operations.accept', request, context(request))
  const result = (request: AcceptRequest) => call(area, 'int.operations.result', request, context(request))
  const read = async (name: string, request: AcceptRequest) => {
    const params = name === 'getOperation' ? { id: request.operation_id } : {}
    const reply = await callRoute(gateway, `rpc.operations.${name}`, { params, query: {} }, context(request))
    return reply.ok ? 'ok' : reply.problem.code
  }
  const [known, unknown] = [newRequest(), newRequest()]
  await accept(known)

  proxy.takeAway()
  expect(await read('getOperation', known)).toBe('service_unavailable')
  expect(await read('listOperations', known)).toBe('service_unavailable')
  await expect(result(unknown)).rejects.toMatchObject({ code: 'service_unavailable' })
  await expect(accept(unknown)).rejects.toMatchObject({ code: 'service_unavailable' })

  proxy.bringBack()
  expect(await read('getOperation', known)).toBe('ok')
  expect(await result(unknown)).toEqual({ type: 'new' })
  expect(await accept(unknown)).toMatchObject({ type: 'accepted' })

  await started.stop()
  await nats.stop()
  await tables.close()
  await proxy.close()
})

test('operators who wait take no connection that a write needs, and are refused as repeatable before long', async () => {
  const [tables, nats] = await Promise.all([openTestOperations({ months: true }), startTestNats()])
  await nats.provision((bus) => makeTestWitness(tables.open(), bus, 'operations'))
  const config = readConfig(operationsConfig, {
    NATS_URL: nats.server.url,
    NATS_NKEY_SEED: nats.seeds.operations,
    ...requestVariables,
    DATABASE_URL: tables.connectionString,
    DATABASE_MAX_CONNECTIONS: '2',
  })
  const log = createLog({ service: 'operations', level: 'silent' })
  const started = await service.start({ config, log, clock: createClock(), schema: tables.schema })
  const [area, console] = await Promise.all([nats.connect('beneficiaries'), nats.connect('ops-console')])
  const context = { requestId: 'request-of-a-test', traceparent: '', timeoutMs: 60_000 }
  const [known, unknown] = [newRequest(), newRequest()]
  await call(area, 'int.operations.accept', known, { ...context, principal: known.principal })
  const look = () => call(console, 'int.operations.operation-history', known, context)
  // Its statement has two seconds, which a busy machine can exceed.
  await expect.poll(look).toMatchObject({ history: [{ to: 'accepted' }] })

  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = tables.open().transaction(async (tx) => {
    await tx.rows(statement('', 'LOCK TABLE history'))
    held.resolve()
    await released.promise
  })
  await held.promise
  const looks = Promise.allSettled([look(), look(), look(), look()])
  const result = call(area, 'int.operations.result', unknown, { ...context, principal: unknown.principal })
  expect(await result).toEqual({ type: 'new' })
  const refused = { status: 'rejected', reason: { code: 'service_unavailable' } }
  expect(await looks).toMatchObject([refused, refused, refused, refused])
  released.resolve()
  await holding

  await started.stop()
  await nats.stop()
  await tables.close()
})
