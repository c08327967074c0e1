/**
 * A stack for developers of clients, in this process: its control listener, and, if it is ordered, an owner who answers every
 * page by himself. The command `dev` and the published sandbox start it.
 */

import { getFreePort } from '@financial-agents/servers/ports'
import { hastySettings } from '@financial-agents/servers/postgres-server'
import { type Stack, type StackOptions, startStack } from '../stack/stack.ts'
import type { System } from '../stack/system.ts'
import { startControl } from './control.ts'
import { createOwner } from './owner.ts'
import { startOwnerFront } from './owner-front.ts'

/** What programs have to know about a sandbox: its addresses, its clients and where their keys are. */
export type Described = ReturnType<typeof describe>

export type Sandbox = { stack: Stack; described: Described; stop: () => Promise<void> }

export type SandboxOptions = Omit<StackOptions, 'inProcess' | 'controlUrl' | 'system' | 'port'> & {
  system: System
  port: number
  /** True: an owner signs in, consents, confirms and approves as soon as an answer shows the page. */
  ownerConsents: boolean
}

/** One developer's requests need few connections, and PostgreSQL has a process for each. */
const small = { DATABASE_MAX_CONNECTIONS: '3' }

/** @throws Error in one line; nothing is left behind */
export async function openSandbox({ system, ownerConsents, ...options }: SandboxOptions): Promise<Sandbox> {
  const stops: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const each of stops.splice(0).toReversed()) await each()
  }
  try {
    const control = await startControl()
    stops.push(() => control.stop())
    const gatewayPort = await getFreePort()
    const { environment } = options
    const stack = await startStack({
      ...options,
      inProcess: system,
      controlUrl: control.url,
      postgresSettings: { ...hastySettings, shared_buffers: '16MB', ...options.postgresSettings },
      environment: {
        ...environment,
        all: { ...small, ...environment?.all },
        gateway: { ...environment?.gateway, ...(ownerConsents && { PORT: String(gatewayPort) }) },
      },
    })
    stops.push(() => stack.stop())
    const owner = createOwner([stack.baseUrl, stack.providerUrl])
    if (ownerConsents) stops.push(await startOwnerFront({ port: options.port, gatewayPort, owner }))
    const described = describe(stack, control.url)
    control.serve({ stack, owner, described })
    return { stack, described, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function describe({ baseUrl, providerUrl, identityProviderUrl, clients }: Stack, control_url: string) {
  return {
    base_url: baseUrl,
    provider_url: providerUrl,
    identity_provider_url: identityProviderUrl,
    control_url,
    clients,
  }
}
