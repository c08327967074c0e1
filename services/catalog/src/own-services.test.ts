/** The table of the API's own services lists every eligible route and capability once, and nothing else. */

import { type Route, scopesOf } from '@financial-agents/contract/route'
import { routes } from '@financial-agents/contract/routes'
import { id } from '@financial-agents/contract/schemas/primitives'
import { expect, test } from 'vitest'
import { ownServices } from './own-services.ts'

const rows: readonly Route[] = Object.values(routes)
const capabilities = ownServices.flatMap((service) => Object.entries(service.capabilities))
const pathsOf = (listed: readonly Route[]) => listed.map(({ method, path }) => `${method} ${path}`).toSorted()

test('every route that one scope of a grant opens is in exactly one capability, and no other is', () => {
  const opened = rows.filter((row) => row.audience === 'customer' && scopesOf(row).length === 1)
  expect(pathsOf(capabilities.flatMap(([, listed]) => listed))).toEqual(pathsOf(opened))
})

test('the routes of a service are of one area, beside the checks of its payments', () => {
  for (const service of ownServices) {
    const areas = Object.values(service.capabilities).flatMap((listed) => listed.map(({ area }) => area))
    expect(new Set(areas.filter((area) => area !== 'payment-checks')).size, service.name).toBe(1)
  }
})

test('ids are ours, each of one service', () => {
  const ids = ownServices.map((service) => service.id)
  for (const own of ids) expect(id.safeParse(own).success, own).toBe(true)
  expect(new Set(ids).size).toBe(ids.length)
})
