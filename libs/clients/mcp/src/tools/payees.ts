/** The tool that proposes a payee. Whoever adds a payee decides who may be paid, so the person does it, by a command that shows every detail. */

import { ClientError, payoutSchemaFor } from '@financial-agents/client'
import { answer } from '../answer.ts'
import { objectOf } from '../json-schema.ts'
import { plainText } from '../plain-text.ts'
import type { Tool } from '../tool.ts'

type Payee = { name: string; country: string; currency: string; details: Record<string, string> }

const text = { type: 'string', minLength: 1, maxLength: 200 } as const

export const proposePayee: Tool = {
  name: 'propose_payee',
  title: 'Propose a payee',
  description:
    'Checks the details of a new payee, and returns the command by which the person adds it. Nothing is added by this call: show the person the command and where the details come from.',
  scopes: ['beneficiaries:read'],
  kind: 'read',
  destructive: false,
  input: objectOf(
    {
      name: { ...text, description: 'The name of the account holder.' },
      country: { type: 'string', pattern: '^[A-Z]{2}$', description: 'The country of the account: "PT".' },
      currency: { type: 'string', pattern: '^[A-Z]{3}$', description: 'Three capital letters: "EUR".' },
      details: {
        type: 'object',
        description: 'The details of the account by name: {"iban": "PT50…"}.',
        propertyNames: { pattern: '^[a-z][a-z0-9_]*$' },
        additionalProperties: text,
        minProperties: 1,
        maxProperties: 20,
      },
    },
    ['name', 'country', 'currency', 'details'],
  ),
  run: async (args, { signal }, { agent }) => {
    const { name, country, currency, details } = args as Payee
    try {
      await payoutSchemaFor(agent, { country, currency, details }, { signal })
    } catch (error) {
      if (!(error instanceof ClientError) || error.code !== 'invalid_use') throw error
      return answer('invalid_arguments', {
        problem: { code: 'invalid_arguments', detail: plainText(error.message, 1_000), fields: [], request_id: null },
      })
    }
    const words = Object.entries(details).map(([key, value]) => quoted(`${key}=${value}`))
    return answer('needs_owner', {
      message:
        'Nothing was added. The person compares name and details with what the payee gave them, and runs `command`. Then list_payees has the payee.',
      next: { tool: 'list_payees', arguments: {} },
      command: [
        'financial-agents payees add --name',
        quoted(name),
        '--country',
        country,
        '--currency',
        currency,
        ...words,
      ].join(' '),
    })
  },
}

/** One word of a POSIX shell. */
function quoted(word: string): string {
  return `'${plainText(word).replaceAll("'", `'\\''`)}'`
}
