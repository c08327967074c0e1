/** Starts the fake provider on a free port, in the test's own process, for the tests of a service that calls it. */

import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export type FakeProvider = {
  url: string
  /** Calls its control routes, for example `POST /control/faults`. */
  ask: (method: string, path: string, body?: unknown) => Promise<unknown>
  stop: () => Promise<void>
}

type Module = {
  createServer(options: { latencyMs: number; executesRepeats: boolean }): {
    listen(at: { host: string; port: number }): Promise<string>
    close(): Promise<unknown>
  }
}

// No library imports a service.
const server = pathToFileURL(join(import.meta.dirname, '../../../../../services/fake-provider/src/server.ts')).href

/** A double submission has its full effect, unless `executesRepeats` is false. */
export async function startFakeProvider({ executesRepeats = true } = {}): Promise<FakeProvider> {
  const module = (await import(server)) as Module
  const app = module.createServer({ latencyMs: 0, executesRepeats })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    url,
    ask: async (method, path, body) => {
      const json =
        body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
      const response = await fetch(`${url}${path}`, { method, ...json })
      const text = await response.text()
      return text === '' ? null : JSON.parse(text)
    },
    stop: async () => void (await app.close()),
  }
}
