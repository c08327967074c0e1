/** A read, a write with its replay, and a refusal, by @hey-api/openapi-ts. */

import { createDpopFetch, readSession } from './dpop-fetch'
import { createBeneficiary, getOperation, listBeneficiaries, type Operation } from './generated'
import { client } from './generated/client.gen'

async function main(): Promise<void> {
  const session = readSession()
  const signed = await createDpopFetch(session)
  client.setConfig({ baseUrl: session.base_url, fetch: (input, init) => signed(new Request(input, init)) })
  const read = await listBeneficiaries({ query: { limit: 10 } })
  if (!read.data) throw new Error(`the read was refused: ${read.error.code}`)
  const write = async (): Promise<Operation> => {
    const { data, error } = await createBeneficiary({
      headers: { 'Idempotency-Key': session.idempotency_key },
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
  const unknown = await getOperation({ path: { id: session.unknown_operation } })
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
