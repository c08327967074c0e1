/**
 * POST /v1/quotes: the price of a possible transfer. Nothing is stored, because nothing reads or executes the quote
 * later.
 */

import { randomUUIDv7 } from 'node:crypto'
import { ask } from '@financial-agents/bus/ask'
import type { Bus } from '@financial-agents/bus/connect'
import type { HandlerContext, Handlers } from '@financial-agents/bus/rpc'
import { fieldsProblem } from '@financial-agents/contract/problem'
import type { transferQuotesRoutes } from '@financial-agents/contract/routes/transfer-quotes'
import { brokenContract } from '@financial-agents/provider-client/reader'
import type { TransferQuote } from '@financial-agents/provider-port/quotes'
import { BigNumber } from 'bignumber.js'
import type { Dependencies } from '../dependencies.ts'
import { refused } from '../refused.ts'

type Handler = Handlers<typeof transferQuotesRoutes>['createTransferQuote']
type Body = Parameters<Handler>[0]['body']

const findTimeoutMs = 2_000

export function createTransferQuote({ bus, transferQuoteRead }: Dependencies): Handler {
  return async ({ body }, context) => {
    const { source_currency, target_currency, amount, fixed_side, beneficiary_id } = body
    const beneficiary_reference =
      beneficiary_id === undefined ? undefined : await getBeneficiaryReference(bus, context, beneficiary_id)
    const asked = { source_currency, target_currency, amount, fixed_side, beneficiary_reference }
    const quoted = await transferQuoteRead.get(context, asked)
    if (quoted.type === 'refused') throw refused(quoted.member)
    checkFixedAmount(quoted.quote, body)
    return { id: randomUUIDv7(), indicative: true, executable: false, ...quoted.quote }
  }
}

/** Asks the area that stores beneficiaries. @throws Problem validation_failed; Unavailable */
async function getBeneficiaryReference(bus: Bus, context: HandlerContext, beneficiaryId: string): Promise<string> {
  const asked = { owner_id: context.principal.owner_id, beneficiary_id: beneficiaryId }
  const found = await ask(bus, 'int.beneficiaries.find-beneficiary', asked, context, findTimeoutMs)
  if (found === null) throw refusal('Send the id of one of GET /v1/beneficiaries.')
  if (found.state === 'failed') throw refusal('Name another: the provider does not have this beneficiary.')
  if (found.state !== 'active' || found.upstream_reference === null)
    throw refusal('Wait until GET /v1/beneficiaries/{beneficiary_id} shows it active.')
  return found.upstream_reference
}

function refusal(message: string) {
  return fieldsProblem([{ path: 'beneficiary_id', message }])
}

function checkFixedAmount({ source, target }: TransferQuote, body: Body): void {
  const fixed = body.fixed_side === 'source' ? source : target
  if (!new BigNumber(fixed.amount).eq(body.amount))
    throw brokenContract(new Error('a transfer quote of another amount'))
}
