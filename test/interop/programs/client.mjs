/** A read, a write with its replay, and a refusal, by the published client; the same file for Node, Deno and Bun. */

import { readFileSync } from 'node:fs'
import process from 'node:process'
import { ApiProblem, FinancialAgents } from '@financial-agents/client'
import { service } from '@financial-agents/client/auth/service'
import { fileStore } from '@financial-agents/client/stores/file'

const session = JSON.parse(readFileSync(process.env.SESSION_FILE, 'utf8'))
const key = JSON.parse(readFileSync(session.client_key_file, 'utf8'))
const scopes = ['beneficiaries:read', 'beneficiaries:write', 'operations:read']
// Two objects with one store: the second continues where a first process would have ended.
const create = () =>
  FinancialAgents({
    baseUrl: session.base_url,
    clientId: session.client_id,
    auth: service({ key, scopes }),
    store: fileStore('.agent'),
  })
const agent = create()
const { items } = await agent.beneficiaries.list({ limit: 10 })
const write = (from) =>
  from.beneficiaries.create(
    {
      name: 'Rent',
      country: 'PT',
      currency: 'EUR',
      payout_schema_id: 'sepa_pt_eur',
      details: { iban: 'PT50000201231234567890154' },
    },
    { intent: session.idempotency_key },
  )
const first = await write(agent)
const second = await write(create())
const outcome = await second.wait()
const problem = await agent.operations.get(session.unknown_operation).then(
  () => 'none',
  (error) => (error instanceof ApiProblem ? error.code : String(error)),
)
console.log(
  JSON.stringify({
    beneficiaries: items.length,
    operation: first.id,
    replayed: second.id,
    kind: first.kind,
    state: outcome.operation.state,
    problem,
  }),
)
