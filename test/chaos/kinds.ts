/**
 * The eleven kinds of operation: the preparation before a kill, one client's write of each kind, and the state of its
 * resource once the write is settled.
 */

import type { OperationKind } from '@financial-agents/contract/kinds'
import { stocked } from './stock.ts'
import { confirmedIntent, connectedLeavers, type Party, type Payer, type World } from './world.ts'
import { beneficiaryOf, cardOf, freezeOf, keyed, mandateOf, transferUnder, type Write } from './write.ts'

/** The resource keeps its earlier state. */
export const asBefore = Symbol('as before')

export type Shown = string | typeof asBefore

type Kind = {
  prepare(world: World, payer: Payer): Promise<Write>
  /** The state of the resource, by the outcome of the operation. */
  shows: { unsettled: Shown; succeeded: Shown; failed: Shown; cancelled: Shown }
}

export const kinds: { readonly [K in OperationKind]: Kind } = {
  beneficiary_create: {
    prepare: async (_world, payer) => keyed('beneficiary_create', payer, '/v1/beneficiaries', beneficiaryOf(payer)),
    shows: { unsettled: 'pending', succeeded: 'active', failed: 'failed', cancelled: 'failed' },
  },
  mandate_create: {
    prepare: async (world, payer) => {
      const body = mandateOf(await stocked(world, 'beneficiary', payer))
      return confirmed(world, 'mandate_create', payer, '/v1/mandates', body)
    },
    shows: { unsettled: 'pending', succeeded: 'active', failed: 'failed', cancelled: 'failed' },
  },
  mandate_suspend: {
    prepare: async (world, payer) =>
      keyed('mandate_suspend', payer, `/v1/mandates/${await stocked(world, 'active mandate', payer)}/suspend`),
    shows: { unsettled: 'suspending', succeeded: 'suspended', failed: 'suspended', cancelled: 'suspended' },
  },
  mandate_revoke: {
    prepare: async (world, payer) => {
      const path = `/v1/mandates/${await stocked(world, 'revocable mandate', payer)}/revoke`
      return confirmed(world, 'mandate_revoke', payer, path)
    },
    shows: {
      unsettled: 'revoking',
      succeeded: 'revoked',
      failed: 'revocation_failed',
      cancelled: 'revocation_failed',
    },
  },
  mandate_transfer: {
    prepare: async (world, payer) => transferUnder(await stocked(world, 'mandate', payer), payer),
    shows: { unsettled: 'held', succeeded: 'held', failed: 'released', cancelled: 'released' },
  },
  card_create: {
    prepare: async (_world, payer) => cardOf(payer),
    shows: { unsettled: 'pending', succeeded: 'active', failed: 'failed', cancelled: 'failed' },
  },
  card_freeze: {
    prepare: async (world, payer) => freezeOf(await stocked(world, 'active card', payer), payer),
    shows: { unsettled: 'freezing', succeeded: 'frozen', failed: asBefore, cancelled: asBefore },
  },
  card_unfreeze: {
    prepare: async (world, payer) =>
      keyed('card_unfreeze', payer, `/v1/cards/${await stocked(world, 'frozen card', payer)}/unfreeze`),
    shows: { unsettled: 'unfreezing', succeeded: 'active', failed: asBefore, cancelled: asBefore },
  },
  card_close: {
    prepare: async (world, payer) => {
      const good = world.random.pick(['active card', 'card with a lost freeze'] as const)
      return keyed('card_close', payer, `/v1/cards/${await stocked(world, good, payer)}/close`)
    },
    shows: { unsettled: 'closing', succeeded: 'closed', failed: asBefore, cancelled: asBefore },
  },
  transfer: {
    prepare: async (world, payer) => {
      const beneficiary_id = await stocked(world, 'beneficiary', payer)
      const { amount, currency } = payer
      return keyed('transfer', payer, '/v1/spending-account/withdrawals', { beneficiary_id, amount, currency })
    },
    shows: { unsettled: 'held', succeeded: 'held', failed: 'released', cancelled: 'released' },
  },
  transfer_grant_revoke: {
    prepare: async (world) => {
      const owner = await stocked(world, 'leaver', world.amara)
      const leaver = world.leavers.get(owner)
      const connection = (await connectedLeavers(world)).get(owner)
      if (!leaver || connection === undefined) throw new Error('a leaver has no connection to end')
      const path = '/v1/service-connections/current'
      const intent = await confirmedIntent(world, leaver, 'service_disconnect', { path })
      const headers = { 'Confirmation-Intent-ID': intent }
      return { kind: 'transfer_grant_revoke', party: leaver, method: 'DELETE', path, headers, connection }
    },
    shows: {
      unsettled: 'disconnecting',
      succeeded: 'disconnected',
      failed: 'disconnected',
      cancelled: 'disconnected',
    },
  },
}

async function confirmed(
  world: World,
  kind: 'mandate_create' | 'mandate_revoke',
  party: Party,
  path: string,
  body?: Record<string, unknown>,
): Promise<Write> {
  const intent = await confirmedIntent(world, party, kind, body === undefined ? { path } : { path, body })
  return { ...keyed(kind, party, path, body), headers: { 'Confirmation-Intent-ID': intent } }
}
