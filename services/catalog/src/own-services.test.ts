/** The table of the API's own services lists every eligible route and capability once, and nothing else. */

import { type Route, scopesOf } from '@financial-agents/contract/route'
import { type RouteName, routes } from '@financial-agents/contract/routes'
import { id } from '@financial-agents/contract/schemas/primitives'
import { expect, test } from 'vitest'
import { ownServices } from './own-services.ts'

const rows: Readonly<Record<RouteName, Route>> = routes
const capabilities = ownServices.flatMap((service) => Object.entries(service.capabilities))
const listed = capabilities.flatMap(([, routeNames]) => routeNames)

test('every route that one scope of a grant opens is in exactly one capability, and no other is', () => {
  const ofCustomers = (Object.keys(rows) as RouteName[]).filter((name) => rows[name].audience === 'customer')
  const opened = ofCustomers.filter((name) => scopesOf(rows[name]).length === 1)
  expect(listed.toSorted()).toEqual(opened.toSorted())
})

test('a route that has to be enabled is in the capability of that name, beside nothing else', () => {
  for (const [name, routeNames] of capabilities)
    for (const { capability } of routeNames.map((routeName) => rows[routeName]))
      if (capability !== null || ['cards.reveal', 'transfers.execute'].includes(name)) expect(capability).toBe(name)
})

test('the routes of a service are of one area', () => {
  for (const service of ownServices) {
    const routeNames = Object.values(service.capabilities).flat()
    expect(new Set(routeNames.map((name) => rows[name].area)).size, service.name).toBe(1)
  }
})

test('ids are ours, each of one service', () => {
  const ids = ownServices.map((service) => service.id)
  for (const own of ids) expect(id.safeParse(own).success, own).toBe(true)
  expect(new Set(ids).size).toBe(ids.length)
})
