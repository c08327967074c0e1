/** A read, a write with its replay, and a refusal, by openapi-generator's typescript-fetch. */

import { createDpopFetch, readSession } from './dpop-fetch'
import { BeneficiariesApi, Configuration, OperationsApi, ProblemFromJSON, ResponseError } from './generated'

async function main(): Promise<void> {
  const session = readSession()
  const signed = await createDpopFetch(session)
  const fetchApi = (input: RequestInfo | URL, init?: RequestInit) => signed(new Request(input, init))
  const configuration = new Configuration({ basePath: session.base_url, fetchApi })
  const beneficiaries = new BeneficiariesApi(configuration)
  const read = await beneficiaries.listBeneficiaries({ limit: 10 })
  const write = () =>
    beneficiaries.createBeneficiary({
      idempotencyKey: session.idempotency_key,
      createBeneficiaryRequest: {
        name: 'Rent',
        country: 'PT',
        currency: 'EUR',
        payoutSchemaId: 'sepa_pt_eur',
        details: { iban: 'PT50000201231234567890154' },
      },
    })
  const first = await write()
  const second = await write()
  const problem = await new OperationsApi(configuration).getOperation({ id: session.unknown_operation }).then(
    () => undefined,
    async (error: unknown) => {
      if (error instanceof ResponseError) return ProblemFromJSON(await error.response.json()).code
      throw error
    },
  )
  console.log(
    JSON.stringify({
      beneficiaries: read.items.length,
      operation: first.id,
      replayed: second.id,
      kind: first.kind,
      state: second.state,
      problem,
    }),
  )
}

void main()
