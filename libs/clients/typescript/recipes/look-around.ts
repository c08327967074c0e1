/** Reads what the owner lets the agent see: the grant, the accounts, and the latest activity. */

import { agent } from './agent.ts'

const { grant } = await agent.authorization.get()
console.log(`allowed until ${grant.expires_at}: ${grant.scopes.join(' ')}`)

for await (const { name, masked_number, balance } of agent.accounts.list())
  console.log(`${name} ${masked_number ?? ''}: ${balance.available.amount} ${balance.available.currency} available`)

// A list is a page when it is awaited, and every item when it is iterated.
const { items } = await agent.activity.list({ limit: 5 })
for (const { occurred_at, direction, amount, description } of items)
  console.log(`${occurred_at.slice(0, 10)} ${direction} ${amount.amount} ${amount.currency} ${description}`)
