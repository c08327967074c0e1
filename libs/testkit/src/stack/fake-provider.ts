/** Starts the fake provider as a process on a free port, for the tests of a service that calls it. */

import { describeExit, saidLast, startChild } from '@financial-agents/servers/child-process'
import { compileCache } from './compile-cache.ts'
import { findPrepared } from './prepared.ts'
import { programOf } from './programs.ts'

/** The process of the fake provider. */
export type FakeProvider = {
  url: string
  /** Calls its control routes, for example `POST /control/faults`. */
  ask: (method: string, path: string, body?: unknown) => Promise<unknown>
  stop: () => Promise<void>
}

/** Starts the process and waits until it listens. A double submission has its full effect there. */
export async function startFakeProvider(environment: Readonly<Record<string, string>> = {}): Promise<FakeProvider> {
  const listening = Promise.withResolvers<string>()
  const program = programOf('fake-provider', findPrepared()?.bundles)
  const child = await startChild('fake-provider', process.execPath, program.args, {
    ...program.options,
    env: { PATH: process.env['PATH'], ...compileCache, PORT: '0', EXECUTES_REPEATS: 'true', ...environment },
    onLine: (line) => {
      const { address } = (line.startsWith('{') ? JSON.parse(line) : {}) as { address?: string }
      if (address) listening.resolve(address)
    },
  })
  const ended = child.exited.then((status) => {
    throw new Error(`the fake provider ended (${describeExit(status)})${saidLast(child)}`)
  })
  const url = await Promise.race([listening.promise, ended])
  ended.catch(() => {})
  return {
    url,
    ask: async (method, path, body) => {
      const json =
        body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
      const response = await fetch(`${url}${path}`, { method, ...json })
      const text = await response.text()
      return text === '' ? null : JSON.parse(text)
    },
    stop: () => child.stop(),
  }
}
