/** The access token is signed by this environment, has not expired, and is bound to a DPoP key. */

import type { Dependencies } from '../dependencies.ts'
import { type Exchange, found } from '../exchange.ts'
import type { CustomerToken } from '../token-classes.ts'

export function checkToken(exchange: Exchange, { tokens }: Pick<Dependencies, 'tokens'>): void | Promise<void> {
  const token = tokens.verify(found(exchange.presentedToken))
  if (token instanceof Promise) return keep(exchange, token)
  exchange.token = token
}

async function keep(exchange: Exchange, token: Promise<CustomerToken>): Promise<void> {
  exchange.token = await token
}
