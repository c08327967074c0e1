/** The page at `/`, as a developer finds it: what it offers, and that each of its links leads to a page. */

import { expect, test } from 'vitest'
import { environment } from './environment.ts'
import { look } from './look.ts'
import { heading } from './steps.ts'
import { newVisitor, useBrowser } from './visitor.ts'

useBrowser()

test('it says what this is, and leads to the pages of owners, developers and operators', async () => {
  const page = await newVisitor()
  await page.goto(environment().baseUrl)
  expect(await heading(page)).toBe('Financial Agents API')
  expect(await page.getByText('my-agent', { exact: true }).count()).toBe(1)
  await look(page, 'front-page')
  const links = await page.getByRole('main').getByRole('link').all()
  const targets = await Promise.all(links.map((link) => link.getAttribute('href')))
  expect(targets.map((target) => new URL(`${target}`, environment().baseUrl).pathname)).toEqual([
    '/account',
    '/docs',
    '/problems',
    '/failure-codes',
    '/v1/openapi.json',
    '/ops',
  ])
  // The stack of these tests has no documentation: `test/docs` builds it.
  for (const target of targets.filter((each) => !each?.endsWith('/docs')))
    expect((await page.request.get(new URL(`${target}`, environment().baseUrl).href)).status(), `${target}`).toBe(200)
})
