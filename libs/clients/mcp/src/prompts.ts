/** Prompts: what a person picks in the host to begin. */

import { fromJsonSchema, type McpServer } from '@modelcontextprotocol/server'
import { objectOf } from './json-schema.ts'

type Prompt = {
  name: string
  title: string
  description: string
  arguments: Record<string, string>
  text: (given: Record<string, string>) => string
}

const prompts: readonly Prompt[] = [
  {
    name: 'pay',
    title: 'Pay somebody',
    description: 'Prepares one payment and asks before it is made.',
    arguments: {
      payee: 'The name of the payee',
      amount: 'The amount with its currency: 12.50 EUR',
      reference: 'The text that the payee reads',
    },
    text: ({ payee, amount, reference }) =>
      `Prepare one payment of ${amount} to ${payee}, with the reference "${reference}". Find the payee by list_payees; if several fit, ask me. Show me payee, amount, limits and warnings, and submit it only after I have agreed.`,
  },
  {
    name: 'review',
    title: 'What was paid',
    description: 'Lists what this agent did, and what is still open.',
    arguments: { since: 'The first day: 2026-11-01' },
    text: ({ since }) =>
      `List the payments and other operations of this agent since ${since}, oldest first, with the state of each. Say apart which of them are not known to be done or failed, and what I have to do.`,
  },
]

export function addPrompts(server: McpServer): void {
  for (const { name, title, description, arguments: members, text } of prompts) {
    const properties = Object.fromEntries(
      Object.entries(members).map(([member, what]) => [member, { type: 'string', description: what } as const]),
    )
    const argsSchema = fromJsonSchema<Record<string, string>>(objectOf(properties, Object.keys(properties)))
    server.registerPrompt(name, { title, description, argsSchema }, (given) => ({
      messages: [{ role: 'user', content: { type: 'text', text: text(given) } }],
    }))
  }
}
