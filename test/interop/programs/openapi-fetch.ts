/** A read, a write with its replay, and a refusal, by openapi-typescript and openapi-fetch. */

import createClient from 'openapi-fetch'
import { createDpopFetch, readSession } from './dpop-fetch'
import type { components, paths } from './generated'

type Operation = components['schemas']['Operation']

async function main(): Promise<void> {
  const session = readSession()
  const client = createClient<paths>({ baseUrl: session.base_url, fetch: await createDpopFetch(session) })
  const read = await client.GET('/v1/beneficiaries', { params: { query: { limit: 10 } } })
  if (!read.data) throw new Error(`the read was refused: ${read.error.code}`)
  const write = async (): Promise<Operation> => {
    const { data, error } = await client.POST('/v1/beneficiaries', {
      params: { header: { 'Idempotency-Key': session.idempotency_key } },
      body: {
        name: 'Rent',
        country: 'PT',
        currency: 'EUR',
        payout_schema_id: 'sepa_pt_eur',
        details: { iban: 'PT50000201231234567890154' },
      },
    })
    if (!data) throw new Error(`the write was refused: ${error.code}, ${JSON.stringify(error.fields)}`)
    return data
  }
  const first = await write()
  const second = await write()
  const unknown = await client.GET('/v1/operations/{id}', { params: { path: { id: session.unknown_operation } } })
  const state: Operation['state'] = second.state
  console.log(
    JSON.stringify({
      beneficiaries: read.data.items.length,
      operation: first.id,
      replayed: second.id,
      kind: first.kind,
      state,
      problem: unknown.error?.code,
    }),
  )
}

void main()
