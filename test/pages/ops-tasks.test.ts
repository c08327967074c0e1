/**
 * Twelve tasks of an operator, each done in a browser without scripts and counted in clicks. A text that is typed and sent counts
 * as one click. The counts are bounds: a page that needs more fails.
 */

import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { type Application, applicationNamed } from './application.ts'
import { script, settle } from './control.ts'
import { look } from './look.ts'
import { createBeneficiary, main, opsUrl, signInAs, stateOf, unique } from './ops-steps.ts'
import { allow, button, heading } from './steps.ts'
import { newVisitor, useBrowser } from './visitor.ts'

useBrowser()

const patience = { timeout: 120_000, interval: 100 }

let application: Application
let refused = ''
let open = ''
let grantId = ''
let trace = ''
let resource = ''

beforeAll(async () => {
  application = await applicationNamed('tally')
  const scope = 'openid authorization:read beneficiaries:read beneficiaries:write operations:read'
  await allow(await newVisitor(), application, 'amara', { scope })
  grantId = (await application.request('GET', '/v1/authorization')).body['grant'].id
  const name = unique('Task')
  await script({ script: 'refuse', match: { name }, times: 1 })
  refused = await createBeneficiary(application, name)
  await vi.waitFor(async () => expect(await stateOf(application, refused)).toBe('failed'), patience)
  await script({
    script: 'settle_later',
    match: { name: `${name} open` },
    times: 1,
    options: { settle_after_ms: null },
  })
  open = await createBeneficiary(application, `${name} open`)
  await vi.waitFor(async () => expect(await stateOf(application, open)).toBe('submitted'), patience)
  return settle
})

const refusals = (page: Page) => page.locator('tr[data-key=provider_refused] .number-cell a')
const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name }).first()

/** An operator at a page, whose clicks are counted. */
type Operator = { page: Page; click: (target: Locator) => Promise<void>; search: (id: string) => Promise<void> }

/** Each task starts at the overview. `trace` and `resource` are known from elsewhere: a log, a client. */
const tasks: Record<string, { most: number; work: (at: Operator) => Promise<void> }> = {
  'an operation by its id': {
    most: 1,
    work: async ({ page, search }) => {
      await search(refused)
      expect(page.url()).toBe(opsUrl(`/ops/operations/${refused}`))
    },
  },
  'what to do with an operation that does not end': {
    most: 1,
    work: async ({ page, search }) => {
      await search(open)
      expect(await main(page)).toContain('What holds it: The next read at the provider.')
    },
  },
  'a grant by its id': {
    most: 1,
    work: async ({ page, search }) => {
      await search(grantId)
      expect(page.url()).toBe(opsUrl(`/ops/grants/${grantId}`))
    },
  },
  'the operation of a trace': {
    most: 1,
    work: async ({ page, search }) => {
      await search(trace)
      expect(await main(page)).toContain(refused)
      await look(page, 'ops-operations-of-trace')
    },
  },
  'the operation of a resource': {
    most: 1,
    work: async ({ page, search }) => {
      await search(resource)
      expect(await main(page)).toContain(refused)
    },
  },
  'one person’s operations by all clients': {
    most: 2,
    work: async ({ page, click, search }) => {
      await search(refused)
      await click(link(page, 'This person’s operations, by all clients'))
      expect(await main(page)).toContain(refused)
      expect(await main(page)).toContain(open)
    },
  },
  'what a client does': {
    most: 2,
    work: async ({ page, click, search }) => {
      await search('tally')
      expect(await heading(page)).toBe('Search')
      await look(page, 'ops-search')
      await click(link(page, 'Operations of this client'))
      expect(await main(page)).toContain(refused)
    },
  },
  'what failed in the last 24 hours': {
    most: 1,
    work: async ({ page, click }) => {
      await click(page.locator('#by-state li[data-key=failed] a'))
      expect(await main(page)).toContain(refused)
    },
  },
  'the operations with a failure code': {
    most: 1,
    work: async ({ page, click }) => {
      await click(refusals(page))
      expect(await main(page)).toContain(refused)
    },
  },
  'if it is the provider, today and for 30 days': {
    most: 3,
    work: async ({ page, click }) => {
      await click(link(page, 'Provider'))
      expect(await main(page)).toMatch(/In the last hour \d+ sent/)
      // A process reports its reads once a minute.
      await expect
        .poll(async () => (await page.reload(), main(page)), { timeout: 120_000, interval: 1_000 })
        .toContain('Every reported circuit is closed.')
      expect(await main(page)).toContain('Closed since')
      await click(page.getByText('The same as a table'))
      await look(page, 'ops-provider')
      await click(link(page, '30 days'))
      expect(await main(page)).toContain('Last 30 days')
    },
  },
  'a list as a file': {
    most: 2,
    work: async ({ page, click }) => {
      await click(link(page, 'Operations'))
      const [file] = await Promise.all([page.waitForEvent('download'), click(link(page, /as CSV/))])
      expect(await readFile(await file.path(), 'utf8')).toContain(refused)
    },
  },
  'how many grants a suspension of a client stops': {
    most: 2,
    work: async ({ page, click, search }) => {
      await search(grantId)
      await click(link(page, /^Every grant of Tally/))
      expect(await main(page)).toMatch(/has \d+ active grant/)
      await look(page, 'ops-suspend-client')
    },
  },
}

describe('an operator finds', () => {
  test('twelve things, each within its clicks', async () => {
    const page = await newVisitor()
    await signInAs(page, 'jonas')
    await page.goto(opsUrl(`/ops/operations/${refused}`))
    trace = /\b[0-9a-f]{32}\b/.exec(await main(page))?.[0] ?? ''
    resource = await page.locator('dt:text("Concerns") + dd .id').innerText()
    let clicks = 0
    const click = async (target: Locator) => {
      await target.click()
      clicks += 1
    }
    const search = async (id: string) => {
      await page.getByRole('textbox', { name: 'Any id' }).fill(id)
      await click(button(page, 'Search'))
    }
    const counts: string[] = []
    // The sums of the overview are kept for some seconds.
    const failures = async () => (await page.goto(opsUrl()), refusals(page).count())
    await expect.poll(failures, { timeout: 120_000, interval: 500 }).toBeGreaterThan(0)
    for (const [name, { most, work }] of Object.entries(tasks)) {
      await page.goto(opsUrl())
      clicks = 0
      await work({ page, click, search })
      expect(clicks, name).toBeLessThanOrEqual(most)
      counts.push(`${name}: ${clicks}`)
    }
    process.stdout.write(`clicks of an operator: ${counts.join('; ')}\n`)
    expect(counts).toHaveLength(12)
  })
})
