/**
 * The control listener of a sandbox: its addresses, its clock, its clients and its data. It is for programs on this machine:
 * a request from a page is refused.
 */

import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { messageOf } from '@financial-agents/runtime/command'
import { parse, stringify } from 'yaml'
import { z } from 'zod'
import type { Stack } from '../stack/stack.ts'
import type { Owner } from './owner.ts'

type Controlled = {
  stack: Stack
  owner: Owner
  /** The answer to `GET /`. */
  described: object
}

const advance = z.strictObject({ advance_ms: z.int().nonnegative().max(1e12) })
const registration = z.looseObject({ client_id: z.string() })
const visit = z.strictObject({ url: z.url(), code: z.string().optional() })

export type Control = {
  url: string
  /** Begins to answer. Until then every request waits. */
  serve(controlled: Controlled): void
  stop(): Promise<void>
}

/** Starts to listen, before the system that is controlled has started. */
export async function startControl(): Promise<Control> {
  const controlled = Promise.withResolvers<ReturnType<typeof routesOf>>()
  const server = createServer((request, response) => {
    const end = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    void text(request).then(async (body) => {
      const routes = await controlled.promise
      const route = request.headers.origin === undefined ? routes[`${request.method} ${request.url}`] : undefined
      if (route === undefined)
        return end(404, {
          error: `there is no ${request.method} ${request.url}; there are ${Object.keys(routes).join(', ')}`,
        })
      try {
        return end(200, await route(body === '' ? {} : JSON.parse(body)))
      } catch (error) {
        return end(400, { error: error instanceof z.ZodError ? z.prettifyError(error) : messageOf(error) })
      }
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    serve: (given) => controlled.resolve(routesOf(given)),
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function routesOf({ stack, owner, described }: Controlled) {
  const routes: Readonly<Record<string, (body: unknown) => Promise<object>>> = {
    'GET /': async () => described,
    'POST /clock': async (body) => ({ now: await stack.advanceClock(advance.parse(body).advance_ms) }),
    'POST /clients': async (body) => registerClient(stack, registration.parse(body)),
    'POST /owner': async (body) => {
      const { url, code } = visit.parse(body)
      return { shown: await owner.open(url, code) }
    },
    'POST /reset': async () => {
      await stack.reset()
      return {}
    },
  }
  return routes
}

/** Adds a client to those that are declared, or replaces the one of this id. @throws Error that says what is wrong with it */
async function registerClient(stack: Stack, client: z.infer<typeof registration>): Promise<object> {
  const file = stack.declarations.clientsFile
  const before = await readFile(file, 'utf8')
  const { clients } = parse(before) as { clients: { client_id: string }[] }
  const others = clients.filter(({ client_id }) => client_id !== client.client_id)
  await writeFile(file, stringify({ clients: [...others, client] }, { aliasDuplicateObjects: false }))
  try {
    await stack.runCommand('authz', 'apply-clients', [file])
  } catch (error) {
    await writeFile(file, before)
    throw error
  }
  return { client_id: client.client_id }
}
