/**
 * Twelve tasks of an operator, each done in a browser without scripts and counted in clicks. A text that is typed and sent counts
 * as one click. The counts are bounds: a page that needs more fails.
 */

import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Application, applicationNamed } from './application.ts'
import { script, settle } from './control.ts'
import { look } from './look.ts'
import { createBeneficiary, main, opsUrl, signInAs, stateOf, unique } from './ops-steps.ts'
import { allow, button, heading } from './steps.ts'
import { newVisitor, useBrowser } from './visitor.ts'

useBrowser()

let application: Application
let refused = ''
let open = ''
let grantId = ''

beforeAll(async () => {
  application = await applicationNamed('tally')
  const scope = 'openid authorization:read beneficiaries:read beneficiaries:write operations:read'
  await allow(await newVisitor(), application, 'amara', { scope })
  grantId = (await application.request('GET', '/v1/authorization')).body['grant'].id
  const name = unique('Task')
  await script({ script: 'refuse', match: { name }, times: 1 })
  refused = await createBeneficiary(application, name)
  await expect.poll(() => stateOf(application, refused), { timeout: 60_000 }).toBe('failed')
  await script({
    script: 'settle_later',
    match: { name: `${name} open` },
    times: 1,
    options: { settle_after_ms: null },
  })
  open = await createBeneficiary(application, `${name} open`)
  await expect.poll(() => stateOf(application, open), { timeout: 60_000 }).toBe('submitted')
  return settle
})

const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name }).first()

async function search(page: Page, id: string): Promise<void> {
  await page.getByLabel('Any id').fill(id)
  await button(page, 'Search').click()
}

/** Each task starts at the overview; it returns the number of its clicks. */
const tasks: Record<string, { most: number; work: (page: Page) => Promise<number> }> = {
  'an operation by its id': {
    most: 1,
    work: async (page) => {
      await search(page, refused)
      expect(page.url()).toBe(opsUrl(`/ops/operations/${refused}`))
      return 1
    },
  },
  'what to do with an operation that does not end': {
    most: 1,
    work: async (page) => {
      await search(page, open)
      expect(await main(page)).toContain('What holds it: The next read at the provider.')
      return 1
    },
  },
  'a grant by its id': {
    most: 1,
    work: async (page) => {
      await search(page, grantId)
      expect(page.url()).toBe(opsUrl(`/ops/grants/${grantId}`))
      return 1
    },
  },
  'the operation of a trace': {
    most: 2,
    work: async (page) => {
      await page.goto(opsUrl(`/ops/operations/${refused}`))
      const trace = /\b[0-9a-f]{32}\b/.exec(await main(page))?.[0] ?? ''
      await search(page, trace)
      expect(await main(page)).toContain(refused)
      await look(page, 'ops-operations-of-trace')
      return 1
    },
  },
  'the operation of a resource': {
    most: 2,
    work: async (page) => {
      await page.goto(opsUrl(`/ops/operations/${refused}`))
      const resource = await page.locator('dt:text("Concerns") + dd .id').innerText()
      await page.goto(opsUrl())
      await search(page, resource)
      expect(await main(page)).toContain(refused)
      return 1
    },
  },
  'one person’s operations by all clients': {
    most: 2,
    work: async (page) => {
      await search(page, refused)
      await link(page, 'This person’s operations, by all clients').click()
      expect(await main(page)).toContain(refused)
      expect(await main(page)).toContain(open)
      return 2
    },
  },
  'what a client does': {
    most: 2,
    work: async (page) => {
      await search(page, 'tally')
      expect(await heading(page)).toBe('Search')
      await look(page, 'ops-search')
      await link(page, 'Operations of this client').click()
      expect(await main(page)).toContain(refused)
      return 2
    },
  },
  'what failed in the last 24 hours': {
    most: 1,
    work: async (page) => {
      await page.locator('#by-state li[data-key=failed] a').click()
      expect(await main(page)).toContain(refused)
      return 1
    },
  },
  'the operations with a failure code': {
    most: 1,
    work: async (page) => {
      await page.locator('tr[data-key=provider_refused] .number-cell a').click()
      expect(await main(page)).toContain(refused)
      return 1
    },
  },
  'if it is the provider': {
    most: 1,
    work: async (page) => {
      await link(page, 'Provider').click()
      expect(await main(page)).toMatch(/In the last hour \d+ sent/)
      await page.getByText('The same as a table').click()
      await look(page, 'ops-provider')
      await link(page, '30 days').click()
      expect(await main(page)).toContain('Last 30 days')
      return 1
    },
  },
  'a list as a file': {
    most: 2,
    work: async (page) => {
      await link(page, 'Operations').click()
      const [file] = await Promise.all([page.waitForEvent('download'), link(page, /as CSV/).click()])
      expect(await readFile(await file.path(), 'utf8')).toContain(refused)
      return 2
    },
  },
  'how many grants a suspension of a client stops': {
    most: 2,
    work: async (page) => {
      await search(page, grantId)
      await link(page, /^Every grant of Tally/).click()
      expect(await main(page)).toMatch(/has \d+ active grant/)
      await look(page, 'ops-suspend-client')
      return 2
    },
  },
}

describe('an operator finds', () => {
  test('twelve things, each within its clicks', async () => {
    const page = await newVisitor()
    await signInAs(page, 'jonas')
    const counts: string[] = []
    for (const [name, { most, work }] of Object.entries(tasks)) {
      await page.goto(opsUrl())
      // The sums of the overview are kept for some seconds.
      await expect
        .poll(async () => (await page.reload(), page.locator('tr[data-key=provider_refused] .number-cell a').count()), {
          timeout: 60_000,
        })
        .toBeGreaterThan(0)
      const clicks = await work(page)
      expect(clicks, name).toBeLessThanOrEqual(most)
      counts.push(`${name}: ${clicks}`)
    }
    process.stdout.write(`clicks of an operator: ${counts.join('; ')}\n`)
    expect(counts).toHaveLength(12)
  })
})
