/**
 * POST /v1/quotes: the price of a possible transfer. Nothing is stored, because nothing reads or executes the quote
 * later.
 */

import { randomUUIDv7 } from 'node:crypto'
import type { Handlers } from '@financial-agents/bus/rpc'
import type { transferQuotesRoutes } from '@financial-agents/contract/routes/transfer-quotes'
import { brokenContract } from '@financial-agents/provider-client/reader'
import type { TransferQuote } from '@financial-agents/provider-port/quotes'
import { BigNumber } from 'bignumber.js'
import { getBeneficiaryReference } from '../beneficiary-reference.ts'
import type { Dependencies } from '../dependencies.ts'
import { refused } from '../refused.ts'

type Handler = Handlers<typeof transferQuotesRoutes>['createTransferQuote']
type Body = Parameters<Handler>[0]['body']

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

function checkFixedAmount({ source, target }: TransferQuote, body: Body): void {
  const fixed = body.fixed_side === 'source' ? source : target
  if (!new BigNumber(fixed.amount).eq(body.amount))
    throw brokenContract(new Error('a transfer quote of another amount'))
}
