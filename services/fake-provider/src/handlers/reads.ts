/** The reads of the port: what each answers to a test user, or to everybody. */

import { pathPattern } from '@financial-agents/provider-http/api/paths'
import { allReads, type ReadAsks, type ReadData, type ReadName } from '@financial-agents/provider-port/reads'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findActivityPage } from '../activity-pages.ts'
import { countries } from '../countries.ts'
import { limitedAccountType, limitsOf } from '../limits.ts'
import { assets, pricesIn } from '../market.ts'
import type { ReceivedBody } from '../mutation.ts'
import { findPayoutSchema, payoutSchemas } from '../payout-schemas.ts'
import { services } from '../purchasable-services.ts'
import { purchasesOf, quotePurchase } from '../purchases.ts'
import { answerPublicly, answerQuietly, Refused } from '../quiet-call.ts'
import { offers, type TestUser } from '../test-users.ts'
import { quoteTransfer } from '../transfer-quotes.ts'
import { virtualAccountFeesOf } from '../virtual-account-fees.ts'
import type { World } from '../world.ts'

type Answer<Name extends ReadName> = (world: World, asked: ReadAsks<Name>, testUser: TestUser) => ReadData<Name>

const answers: { readonly [Name in ReadName]: Answer<Name> } = {
  identityStatus: (world, _, testUser) => world.identities.show(testUser),
  accounts: (_world, _, { accounts }) => accounts,
  spendingAccount: (world, _, testUser) => world.spendingAccounts.show(testUser),
  withdrawalLimits(_world, { schema, currency, account_type }, testUser) {
    const payoutSchema = findPayoutSchema(schema)
    if (payoutSchema === undefined || !offers(testUser, schema)) return null
    const limits = limitsOf(payoutSchema, testUser)
    const isStated =
      (currency ?? limits.currency) === limits.currency && (account_type ?? limitedAccountType) === limitedAccountType
    return isStated ? limits : null
  },
  virtualAccountEconomics: (_world, _, testUser) => virtualAccountFeesOf(testUser),
  payoutSchemas: (_world, _, testUser) => payoutSchemas.filter(({ id }) => offers(testUser, id)),
  addressCountries: () => countries,
  activity: (world, asked, testUser) => findActivityPage(world, testUser, asked),
  purchases: (world, _, testUser) => purchasesOf(testUser, world.clock.nowMs()),
  transferQuote: (world, asked, testUser) => quoteTransfer(world, testUser, asked),
  purchaseQuote: (world, asked, testUser) => quotePurchase(testUser, asked, world.clock.nowMs()),
  purchasableServices: () =>
    services.map(({ products, ...service }) => ({ ...service, product_ids: products.map(({ id }) => id) })),
  assets: () => assets,
  fiatPrices: (world, { currency }) => pricesIn(currency, world.clock.nowMs()),
}

export function addReads(app: FastifyInstance, world: World): void {
  for (const [name, { method, person, asks }] of allReads) {
    const answer = answers[name] as (world: World, asked: unknown, testUser?: TestUser) => unknown
    const askedOf = ({ body, query }: FastifyRequest) => {
      const parsed = asks?.safeParse(method === 'POST' ? (body as ReceivedBody | undefined)?.value : query)
      if (parsed?.success === false) throw new Refused(400, 'invalid_request')
      return parsed?.data
    }
    const handler = (request: FastifyRequest, reply: FastifyReply) =>
      person
        ? answerQuietly(world, { kind: name, clientReference: null, request, reply, reads: true }, ({ testUser }) => ({
            data: answer(world, askedOf(request), testUser),
          }))
        : answerPublicly(world, { kind: name, request, reply }, () => ({ data: answer(world, askedOf(request)) }))
    app.route({ method, url: pathPattern(name), handler })
  }
}
