/** The pages of codes and the variant of the OpenAPI document. `test/docs` validates the documentation itself. */

import { routePagePath } from '@financial-agents/contract/documentation-paths'
import { type OpenapiDocument, withoutWebhooks } from '@financial-agents/contract/openapi'
import { problemsOf } from '@financial-agents/contract/problems-of'
import { routes } from '@financial-agents/contract/routes'
import { describe, expect, test } from 'vitest'
import { environment } from './environment.ts'
import { look } from './look.ts'
import { heading } from './steps.ts'
import { newVisitor, useBrowser } from './visitor.ts'

useBrowser()

const at = (path: string) => environment().baseUrl + path

test('the document without webhooks is beside it', async () => {
  const read = async (path: string) => (await (await fetch(at(path))).json()) as OpenapiDocument
  const variant = await read('/docs/openapi-without-webhooks.json')
  expect(variant).toEqual(withoutWebhooks(await read('/v1/openapi.json')))
})

describe('the pages of codes', () => {
  test('a problem says what it is, what to do, who answers it and what that looks like', async () => {
    const page = await newVisitor()
    await page.goto(at('/problems/idempotency_key_conflict'))
    const text = await page.getByRole('main').innerText()
    expect(text).toContain('409')
    expect(text).toContain('"code": "idempotency_key_conflict"')
    const answering = Object.values(routes).filter((row) => problemsOf(row).includes('idempotency_key_conflict'))
    await page.getByText(`${answering.length} of ${Object.keys(routes).length} routes`).click()
    expect(await page.locator('.routes li').count()).toBe(answering.length)
    await look(page, 'problem')
  })

  test.each([
    ['/problems', 'Problem codes'],
    ['/problems/acceptance_unknown', 'Whether the write was accepted is not known'],
    ['/problems/card_not_frozen', 'The card is not frozen'],
    ['/failure-codes/provider_timeout', 'Failure code of an operation'],
  ])('%s can be read by everybody', async (path, title) => {
    const page = await newVisitor()
    await page.goto(at(path))
    expect(await heading(page)).toBe(title)
    await look(page, path.slice(1).replaceAll('/', '-'))
  })

  test('each route that is named on a page of a code has its page in the documentation', async () => {
    const page = await newVisitor()
    await page.goto(at('/problems/card_not_frozen'))
    const target = await page.getByRole('link', { name: /unfreeze/ }).getAttribute('href')
    expect(target).toBe(routePagePath('unfreezeCard', routes.unfreezeCard))
  })
})
