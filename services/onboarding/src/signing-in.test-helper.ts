/** Two replicas of onboarding on one schema, a real fake provider, and a person with a browser at its hosted page. */

import type { Calls } from '@financial-agents/bus/calls'
import { call } from '@financial-agents/bus/rpc'
import { statement } from '@financial-agents/postgres/database'
import { createFakeAdapter } from '@financial-agents/provider/fake-adapter'
import { createLog } from '@financial-agents/runtime/log'
import { startFakeProvider } from '@financial-agents/testkit/fake-provider'
import { startTestNats } from '@financial-agents/testkit/nats'
import { openTestParts } from './opened.test-helper.ts'
import { startOnboarding } from './start.ts'

type Asked = 'start-sign-in' | 'finish-sign-in' | 'disconnect'

export const returnUrl = 'http://127.0.0.1:4000/sign-in/return?state=some'

export async function startSigningIn() {
  const parts = await openTestParts()
  const nats = await startTestNats()
  const fake = await startFakeProvider()
  const lines: string[] = []
  const log = createLog({ service: 'onboarding', level: 'debug', destination: { write: (line) => lines.push(line) } })
  const startReplica = async () => {
    const db = parts.open()
    const bus = await nats.connect('onboarding')
    const provider = createFakeAdapter({ baseUrl: fake.url, connections: 4, connectTimeoutMs: 1_000 })
    const authentication = { provider, providerName: 'fake', timeoutMs: 2_000 }
    const pauses = { announcePauseMs: 600_000, prunePauseMs: 600_000 }
    const service = startOnboarding({ ...parts, ...pauses, db, bus, log, authentication })
    return async () => {
      await service.stop()
      await bus.drain()
      await provider.close()
      await db.close()
    }
  }
  const stops = [await startReplica(), await startReplica()]
  const authz = await nats.connect('authz')

  const ask = <Name extends Asked>(name: Name, request: Calls[`int.onboarding.${Name}`]['request']) =>
    call(authz, `int.onboarding.${name}`, request, { requestId: 'test-request', traceparent: '', timeoutMs: 10_000 })

  const start = async () => {
    const answer = await ask('start-sign-in', { return_url: returnUrl })
    if (answer.type !== 'started') throw new Error(`not started: ${answer.type}`)
    return answer
  }
  const decide = async (url: string, form: Record<string, string>) => {
    const response = await fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })
    if (response.headers.get('location') !== returnUrl) throw new Error(`the page answered ${response.status}`)
  }
  const approve = async (persona: string) => {
    const { sign_in_id, url } = await start()
    await decide(url, { persona, decision: 'approve' })
    return sign_in_id
  }
  return {
    parts,
    lines,
    ask,
    start,
    decide,
    /** A sign-in that the person has approved; its id. */
    approve,
    finish: (sign_in_id: string) => ask('finish-sign-in', { sign_in_id }),
    signIn: async (persona: string) => {
      const answer = await ask('finish-sign-in', { sign_in_id: await approve(persona) })
      if (answer.type !== 'signed_in') throw new Error(`not signed in: ${answer.type}`)
      return answer
    },
    fault: (script: string, kind: string, options = {}) =>
      fake.ask('POST', '/control/faults', { script, match: { kind }, options }),
    clearFaults: () => fake.ask('DELETE', '/control/faults'),
    reset: async () => {
      await fake.ask('DELETE', '/control/faults')
      parts.clock.setOffsetMs(0)
      for (const table of ['sign_ins', 'announcements', 'customers', 'bindings'])
        await parts.db.rows(statement('', `DELETE FROM ${table}`))
    },
    close: async () => {
      for (const stop of stops) await stop()
      await nats.stop()
      await fake.stop()
      await parts.close()
    },
  }
}
