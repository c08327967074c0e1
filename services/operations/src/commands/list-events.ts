/**
 * Lists the operations that the event stream names, with their last state. After PostgreSQL was recovered to an earlier
 * time, the list tells which operations it does not know. It connects as the provisioner.
 */

import { readEvents } from '@financial-agents/bus/read-events'
import { defineCommand } from '@financial-agents/runtime/command'
import { busConfig, readConfig } from '@financial-agents/runtime/config'
import { connectProvisioner } from './connect-provisioner.ts'

/** A line of the list. Members that no event named are absent. */
type Listed = {
  operation_id: string
  kind: string
  owner_id: string
  client_id: string
  grant_id?: string | undefined
  resource_id?: string | undefined
  state: string
  at: string
  upstream_reference?: string | undefined
}

export const command = defineCommand({
  summary: 'list the operations that the event stream names, one JSON object a line',
  config: busConfig,
  run: async ({ environment }) => {
    const bus = await connectProvisioner(readConfig(busConfig, environment))
    const listed = new Map<string, Listed>()
    try {
      for await (const event of readEvents(bus)) {
        const { operation_id, kind, owner_id, client_id, grant_id, resource_id, to: state, at } = event
        const before = listed.get(operation_id)
        listed.set(operation_id, {
          operation_id,
          kind,
          owner_id,
          client_id,
          grant_id: grant_id ?? before?.grant_id,
          resource_id: resource_id ?? before?.resource_id,
          state,
          at,
          upstream_reference: event.upstream_reference ?? before?.upstream_reference,
        })
      }
    } finally {
      await bus.drain()
    }
    return [...listed.values()].map((operation) => JSON.stringify(operation))
  },
})
