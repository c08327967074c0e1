/**
 * Something that the files of a project share and that costs much to keep, such as a running stack: the set-up of the run offers
 * it, the first file that asks starts it, and all files get the same answer.
 */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What was started: a description for the test files, in JSON, and its end. */
export type Shared<Description> = { description: Description; stop: () => Promise<void> }

/** Where test files ask, and the end of the run: stops what was started, where any file has asked. */
export type Offer = { url: string; stop: () => Promise<void> }

/** Offers what `start` starts. It is called at most once. */
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
      // A start that failed has told the files that asked, and has left nothing.
      const shared = await started?.catch(() => undefined)
      await shared?.stop()
    },
  }
}

/** Asks for what is offered at `url`. @throws Error with the reason why it could not be started */
export async function askFor<Description>(url: string): Promise<Description> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as Description
}
