/**
 * POST /v1/quotes: the price of a possible transfer. Nothing is stored, because nothing reads or executes the quote
 * later.
 */

import { randomUUIDv7 } from 'node:crypto'
import type { Handlers } from '@financial-agents/bus/rpc'
import type { transferQuotesRoutes } from '@financial-agents/contract/routes/transfer-quotes'
import { checkedAnswer } from '@financial-agents/provider-client/checked-answer'
import { brokenContract } from '@financial-agents/provider-client/reader'
import { type TransferQuote, transferQuote } from '@financial-agents/provider-port/quotes'
import { BigNumber } from 'bignumber.js'
import { getBeneficiaryReference } from '../beneficiary-reference.ts'
import type { Dependencies } from '../dependencies.ts'
import { refused } from '../refused.ts'

type Handler = Handlers<typeof transferQuotesRoutes>['createTransferQuote']
type Body = Parameters<Handler>[0]['body']

export function createTransferQuote({ bus, provider, reader }: Dependencies): Handler {
  return async ({ body }, context) => {
    const { source_currency, target_currency, amount, fixed_side, beneficiary_id } = body
    const beneficiary_reference =
      beneficiary_id === undefined ? undefined : await getBeneficiaryReference(bus, context, beneficiary_id)
    const asked = { source_currency, target_currency, amount, fixed_side, beneficiary_reference }
    const quoted = await reader.read(
      context,
      async (call) => checkedAnswer(transferQuote, await provider.transferQuote({ ...call, ...asked })),
      'transferQuote',
    )
    if (quoted.type === 'refused') throw refused(quoted.member)
    checkAnswersRequest(quoted.quote, body)
    return { id: randomUUIDv7(), indicative: true, executable: false, ...quoted.quote }
  }
}

function checkAnswersRequest({ source, target }: TransferQuote, body: Body): void {
  const fixed = body.fixed_side === 'source' ? source : target
  const answers =
    source.currency === body.source_currency &&
    target.currency === body.target_currency &&
    new BigNumber(fixed.amount).eq(body.amount)
  if (!answers) throw brokenContract(new Error('a transfer quote for something else than was asked for'))
}
