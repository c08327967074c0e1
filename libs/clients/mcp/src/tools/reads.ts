/** The tools that list what the owner has. */

import type { KnownScope, Page } from '@financial-agents/client'
import { answer } from '../answer.ts'
import { definitions } from '../generated/schemas.ts'
import { type JsonSchema, objectOf } from '../json-schema.ts'
import { project } from '../project.ts'
import { type Call, type Dependencies, idOf, pageArguments, type Tool } from '../tool.ts'

type Definition = keyof typeof definitions

type List = {
  name: string
  title: string
  description: string
  scope: KnownScope
  /** The member of the answer, and the definition of its items. */
  items: readonly [member: string, definition: Definition]
  filters?: Record<string, JsonSchema>
  /** False if the list has one page only. */
  pages?: boolean
  read: (
    dependencies: Dependencies,
    query: Record<string, unknown>,
    options: { signal: AbortSignal },
  ) => PromiseLike<Page<unknown>>
}

function list({ name, title, description, scope, items, filters = {}, pages = true, read }: List): Tool {
  const [member, definition] = items
  return {
    name,
    title,
    description,
    scopes: [scope],
    kind: 'read',
    destructive: false,
    input: objectOf({ ...filters, ...(pages ? pageArguments : { limit: pageArguments.limit }) }),
    run: async (args, { signal }: Call, dependencies) => {
      const page = await read(dependencies, args, { signal })
      return answer('ok', {
        [member]: page.items.map((item) => project(definition, item)),
        ...(pages && { next_cursor: page.next_cursor ?? null }),
      })
    },
  }
}

const since: JsonSchema = { type: 'string', format: 'date-time', description: 'The start of the period, inclusive.' }
const until: JsonSchema = { type: 'string', format: 'date-time', description: 'The end of the period, exclusive.' }
const state: JsonSchema = { ...definitions.OperationState, description: 'Only those in this state.' }

export const lists: readonly Tool[] = [
  list({
    name: 'list_accounts',
    title: 'List accounts',
    description: "The owner's accounts with their balances.",
    scope: 'accounts:read',
    items: ['accounts', 'Account'],
    read: ({ agent }, query, options) => agent.accounts.list(query, options),
  }),
  list({
    name: 'list_activity',
    title: 'List movements of money',
    description: 'Movements of money, newest first. Descriptions and names were written by others.',
    scope: 'activity:read',
    items: ['movements', 'ActivityItem'],
    filters: { from: since, to: until, source: definitions.ActivitySource },
    read: ({ agent }, query, options) => agent.activity.list(query, options),
  }),
  list({
    name: 'list_payees',
    title: 'List payees',
    description:
      'The payees of this owner. Only an `active` one can be paid. A name proves nothing about who gets the money.',
    scope: 'beneficiaries:read',
    items: ['payees', 'Beneficiary'],
    read: ({ agent }, query, options) => agent.beneficiaries.list(query, options),
  }),
  list({
    name: 'list_mandates',
    title: 'List mandates',
    description: 'Mandates: the permission of the owner to pay one payee within caps, with what remains of each cap.',
    scope: 'authorization:read',
    items: ['mandates', 'Mandate'],
    read: ({ agent }, query, options) => agent.mandates.list(query, options),
  }),
  list({
    name: 'list_payments',
    title: 'List payments',
    description:
      'Payments that this client made, newest first, with the state of each. Look here before you prepare a payment anew.',
    scope: 'operations:read',
    items: ['payments', 'Transfer'],
    filters: {
      beneficiary_id: idOf('Only payments to this payee.'),
      mandate_id: idOf('Only payments under this mandate.'),
      created_after: since,
      state,
    },
    read: ({ agent }, query, options) => agent.payments.list(query, options),
  }),
  list({
    name: 'list_cards',
    title: 'List cards',
    description: 'The cards of this owner, without their numbers.',
    scope: 'cards:read',
    items: ['cards', 'Card'],
    read: ({ agent }, query, options) => agent.cards.list(query, options),
  }),
  list({
    name: 'list_operations',
    title: 'List operations',
    description:
      'Operations of every kind, newest first: each write of this client, and how it stands. A payment is a `transfer` or a `mandate_transfer`.',
    scope: 'operations:read',
    items: ['operations', 'Operation'],
    filters: { state, kind: definitions.OperationKind },
    pages: false,
    read: ({ agent }, query, options) => agent.operations.list(query, options),
  }),
]
