/** `mcp`: serves the profile to a host of models, over the Model Context Protocol. */

import { type Cli, registrationOf } from '../cli.ts'
import { command } from '../command.ts'
import { textFlag } from '../flags.ts'

type McpFlags = {
  readonly profile?: string
  readonly 'read-only'?: boolean
  readonly 'max-per-payment'?: readonly string[]
  readonly tools?: string
}

export const mcp = command({
  docs: {
    brief: 'Serve this profile to a host of models (MCP), on standard input and output',
    fullDescription:
      'A host starts it; it is of no use at a terminal. A payment is prepared first and submitted by its handle, so that a model cannot pay twice by asking twice. The owner decides on pages, never in the host.',
  },
  parameters: {
    flags: {
      profile: textFlag('The profile to use', 'name'),
      'read-only': { kind: 'boolean', brief: 'Offer only tools that read', optional: true, withNegated: false },
      'max-per-payment': {
        kind: 'parsed',
        parse: (value: string) => value,
        brief: 'The most of one payment, "50.00 EUR"; once for each currency, others are then refused',
        placeholder: 'amount',
        optional: true,
        variadic: true,
      },
      tools: textFlag('The tools to offer, with commas between them; all by default', 'names'),
    },
  },
  run: async (cli: Cli, flags: McpFlags) => {
    const used = await cli.used()
    const { baseUrl, clientId, scopes, redirectUri } = registrationOf(used)
    // The server is large, and no other command needs it.
    const { serveStdio } = await import('@financial-agents/mcp')
    await serveStdio({
      api: baseUrl,
      clientId,
      account: used.name,
      scopes,
      store: used.store,
      ...(redirectUri !== undefined && { redirectUri }),
      readOnly: flags['read-only'] ?? false,
      maxPerPayment: flags['max-per-payment'] ?? [],
      ...(flags.tools !== undefined && { tools: flags.tools.split(',') }),
    })
    // A sign-in that nobody finished must not outlive the host.
    cli.process.exit()
  },
})
