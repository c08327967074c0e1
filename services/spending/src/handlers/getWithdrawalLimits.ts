/** GET /v1/accounts/withdrawal-limits: the provider's limits for one payout schema. They grant nothing. */

import type { Handlers } from '@financial-agents/bus/rpc'
import { type Field, fieldsProblem } from '@financial-agents/contract/problem'
import type { accountsRoutes } from '@financial-agents/contract/routes/accounts'
import type { ReadContext } from '@financial-agents/provider-client/reader'
import type { ReadAsks } from '@financial-agents/provider-port/reads'
import type { Dependencies } from '../dependencies.ts'

export function getWithdrawalLimits(
  dependencies: Dependencies,
): Handlers<typeof accountsRoutes>['getWithdrawalLimits'] {
  return async ({ query }, context) => {
    const limits = await dependencies.limitsRead.get(context, query)
    if (limits === null) throw fieldsProblem(await findBlamed(dependencies, context, query))
    return { ...limits, memo: { ...limits.memo }, purpose_codes: [...limits.purpose_codes] }
  }
}

/**
 * Finds the members to blame for the missing limits: the schema, if it has no limits even without filters. Otherwise
 * each filter that has no limits by itself, or both filters if each has limits by itself.
 */
async function findBlamed(
  { limitsRead }: Dependencies,
  context: ReadContext,
  asked: ReadAsks<'withdrawalLimits'>,
): Promise<Field[]> {
  const { schema, currency, account_type } = asked
  const alone = currency === undefined && account_type === undefined ? null : await limitsRead.get(context, { schema })
  if (alone === null)
    return [
      {
        path: 'schema',
        message: 'Send the id of one of GET /v1/beneficiaries/payout-schemas that can be withdrawn to.',
      },
    ]
  const filters: (Field & { asked: ReadAsks<'withdrawalLimits'> })[] = []
  if (currency !== undefined) {
    const message = `Send ${alone.currency}, or leave it out.`
    filters.push({ path: 'currency', message, asked: { schema, currency } })
  }
  if (account_type !== undefined) {
    const message = 'Send an account type for which the provider states limits, or leave it out.'
    filters.push({ path: 'account_type', message, asked: { schema, account_type } })
  }
  const results = await Promise.all(filters.map((filter) => limitsRead.get(context, filter.asked)))
  const failing = filters.filter((_filter, index) => results[index] === null)
  return (failing.length > 0 ? failing : filters).map(({ path, message }) => ({ path, message }))
}
