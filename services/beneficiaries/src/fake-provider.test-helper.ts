/** The fake provider as the process that it is, on a free port. */

import { join } from 'node:path'
import { describeExit, saidLast, startChild } from '@financial-agents/testkit/child-process'

export async function startFakeProvider(): Promise<{ url: string; stop(): Promise<void> }> {
  const listening = Promise.withResolvers<string>()
  const main = join(import.meta.dirname, '../../fake-provider/src/main.ts')
  const child = await startChild('fake-provider', process.execPath, [main], {
    env: { PATH: process.env['PATH'], PORT: '0' },
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
  return { url, stop: () => child.stop() }
}
