/**
 * An expensive resource that the files of a project share, such as a running stack. The set-up of the run offers it,
 * the first file that asks starts it, and all files get the same answer.
 */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A started resource: a description for the test files, in JSON, and its stop function. */
export type Shared<Description> = { description: Description; stop: () => Promise<void> }

/** The address at which test files ask, and the function that stops the resource if it was started. */
export type Offer = { url: string; stop: () => Promise<void> }

/** Offers the resource of `start`, which is called at most once. */
export async function offerOnDemand(start: () => Promise<Shared<unknown>>): Promise<Offer> {
  let started: Promise<Shared<unknown>> | undefined
  const server = createServer((_, response) => {
    started ??= start()
    started.then(
      ({ description }) => response.end(JSON.stringify(description)),
      (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.message : String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.close()
      server.closeAllConnections()
      // A failed start has reported its error to the files that asked, and has left nothing behind.
      const shared = await started?.catch(() => undefined)
      await shared?.stop()
    },
  }
}

/**
 * Asks for the resource offered at `url`.
 * @throws Error with the reason if it could not be started
 */
export async function askFor<Description>(url: string): Promise<Description> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as Description
}
