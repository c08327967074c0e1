/** Resources: data that a host can show or keep beside the conversation. Reading a resource changes nothing. */

import {
  type McpServer,
  ResourceNotFoundError,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { answerOf, type Failed } from './outcome-of-error.ts'
import { project } from './project.ts'
import type { Dependencies } from './tool.ts'

const scheme = 'financial-agents:/'
const identifier = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const mimeType = 'application/json'

export function addResources(server: McpServer, dependencies: Dependencies): void {
  const { agent, limits } = dependencies
  const reading = (
    uri: URL,
    context: ServerContext,
    read: (signal: AbortSignal) => Promise<unknown>,
    failed: Omit<Failed, 'writes'>,
  ) =>
    dependencies.desk
      .during(read, { signal: context.mcpReq.signal, waits: false })
      // If a resource cannot be read, its content is the answer that a tool would give.
      .catch((error: unknown) => answerOf(error, { ...failed, writes: false }))
      .then((value) => ({ contents: [{ uri: uri.href, mimeType, text: JSON.stringify(value) }] }))

  server.registerResource(
    'limits',
    `${scheme}/limits`,
    {
      title: 'Limits',
      description: 'What this agent may do: the policy of the grant, and the limits of this server.',
      mimeType,
    },
    (uri, context) =>
      reading(
        uri,
        context,
        async (signal) => {
          const { grant, policy } = await agent.authorization.get({ signal })
          return {
            grant: { status: grant.status, expires_at: grant.expires_at, scopes: grant.scopes },
            policy: project('GrantPolicy', policy),
            server: { read_only: limits.readOnly, max_per_payment: limits.maxPerPayment, tools: limits.tools ?? null },
          }
        },
        { resume: { tool: 'sign_in', arguments: {} } },
      ),
  )
  const one = (
    name: 'operations' | 'mandates',
    title: string,
    read: (id: string, signal: AbortSignal) => Promise<unknown>,
  ) =>
    server.registerResource(
      name,
      new ResourceTemplate(`${scheme}/${name}/{id}`, { list: undefined }),
      { title, description: `${title}, as the API has it now.`, mimeType },
      (uri, { id }, context) => {
        if (typeof id !== 'string' || !identifier.test(id)) throw new ResourceNotFoundError(`${scheme}/${name}`)
        const resume = { tool: `list_${name}`, arguments: {} }
        const failed = name === 'operations' ? { resume, operationId: id } : { resume }
        return reading(uri, context, (signal) => read(id, signal), failed)
      },
    )
  one('operations', 'An operation', async (id, signal) =>
    project('Operation', await agent.operations.get(id, { signal })),
  )
  one('mandates', 'A mandate and what remains of its caps', async (id, signal) =>
    project('Mandate', await agent.mandates.get(id, { signal })),
  )
}
