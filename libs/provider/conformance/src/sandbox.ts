/** The sandbox of a provider: the calls with which the kit prepares and controls its cases. */

import { randomUUID } from 'node:crypto'
import type { OperationKind } from '@financial-agents/contract/kinds'
import type { ProviderCallName } from '@financial-agents/provider-http/api/calls'
import { providerPath } from '@financial-agents/provider-http/api/paths'
import {
  type newSandboxDecision,
  type newSandboxFault,
  type newSandboxSettlement,
  sandbox,
  sandboxConnection,
} from '@financial-agents/provider-http/api/sandbox'
import { findRow } from '@financial-agents/provider-http/kinds'
import { searchPath } from '@financial-agents/provider-http/lookups'
import { z } from 'zod'
import type { Sender } from './sender.ts'

export type SandboxDescription = z.infer<typeof sandbox>

export type Sandbox = {
  /**
   * The clock that the search of a kind shows; undefined if the provider promises nothing about the deadlines of the kind.
   */
  readonly clock: (kind: OperationKind) => Promise<string | undefined>
  readonly description: SandboxDescription
  readonly connect: (approves: boolean) => Promise<string>
  readonly order: (fault: z.infer<typeof newSandboxFault>) => Promise<void>
  readonly settle: (settlement: z.infer<typeof newSandboxSettlement>) => Promise<void>
  readonly decide: (decision: z.infer<typeof newSandboxDecision>) => Promise<void>
}

/** A search answer of another form is not validated here. The cases validate it. */
const withClock = z.object({ as_of: z.string() })

/** Reads the description. Rejects with an error that says what to do if there is no sandbox. */
export async function openSandbox(url: string, sender: Sender): Promise<Sandbox> {
  const ask = async (call: ProviderCallName, body?: object): Promise<unknown> => {
    const path = providerPath(call)
    const request =
      body === undefined
        ? { method: 'GET', headers: {} }
        : { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    const answer = await sender.send({ ...request, path }).catch(() => {
      throw new Error(`nothing answers at ${url}: start the provider, and give its address to --url`)
    })
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: the kit needs the sandbox calls`)
    return findJson(answer.body)
  }
  const read = <Shape extends z.ZodType>(shape: Shape, call: ProviderCallName, value: unknown): z.infer<Shape> => {
    const { data, error } = shape.safeParse(value)
    if (error === undefined) return data
    const where = error.issues.map(({ path, message }) => `${path.map(String).join('.')}: ${message}`)
    throw new Error(`${providerPath(call)} is not the published answer: ${where.join('; ')}`)
  }
  const description = read(sandbox, 'readSandbox', await ask('readSandbox'))
  return {
    async clock(kind) {
      const row = findRow(kind)
      if (row === undefined) return undefined
      const path = searchPath(row, { reference: randomUUID(), upstreamReference: null, target: undefined })
      const authorization = `Bearer ${description.reader.credentials}`
      const { body } = await sender.send({ method: 'GET', path, headers: { authorization } })
      return withClock.safeParse(findJson(body)).data?.as_of
    },
    description,
    connect: async (approves) =>
      read(sandboxConnection, 'createSandboxConnection', await ask('createSandboxConnection', { approves }))
        .credentials,
    order: async (fault) => void (await ask('orderSandboxFault', fault)),
    settle: async (settlement) => void (await ask('settleInSandbox', settlement)),
    decide: async (decision) => void (await ask('decideInSandbox', decision)),
  }
}

function findJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
