/** The operators' console while writes are closed because a database has lost something. */

import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { order } from './control.ts'
import { look } from './look.ts'
import { main, opsUrl, signInAs } from './ops-steps.ts'
import { heading } from './steps.ts'
import { newVisitor, useBrowser } from './visitor.ts'

useBrowser()

const lossOfSubmitter = 'witness.submitter.loss'

/** Loads the page until it has, or no longer has, the banner. */
async function untilBanner(page: Page, isThere: boolean): Promise<void> {
  const has = async () => {
    await page.reload()
    return (await main(page)).includes('Writes are closed.')
  }
  await expect.poll(has, { timeout: 120_000, interval: 500 }).toBe(isThere)
}

test('every page says that writes are closed, and leads to the lost time, the lost operations and the next step', async () => {
  const operation_id = randomUUID()
  const at = new Date().toISOString()
  const who = { owner_id: randomUUID(), client_id: 'tally' }
  const move = { ...who, operation_id, kind: 'transfer', to: 'submitted', at, upstream_reference: 'tr_4711' }
  await order({ do: 'publish', subject: 'ops.event.transfer', value: { transitions: [move] } })
  const lost = { from: new Date(Date.now() - 600_000).toISOString(), to: at, transactions: 7 }
  // It would prove its database, and take the loss back.
  await order({ do: 'stop', service: 'submitter' })
  await order({ do: 'publish', subject: lossOfSubmitter, value: { since: at, ...lost } })
  try {
    const page = await newVisitor()
    await signInAs(page, 'jonas', '/ops')
    await untilBanner(page, true)
    await look(page, 'ops-writes-overview')
    for (const path of ['/ops/operations', '/ops/grants', '/ops/provider', '/ops/audit', '/ops/search']) {
      await page.goto(opsUrl(path))
      const words = await main(page)
      for (const said of ['Writes are closed.', '7 transactions', 'WritesClosed', 'recover'])
        expect(words).toContain(said)
    }
    await page.getByRole('link', { name: 'What is known' }).click()
    expect(await heading(page)).toBe('Writes')
    await expect
      .poll(
        async () => {
          await page.reload()
          return main(page)
        },
        { timeout: 120_000, interval: 500 },
      )
      .toContain(operation_id)
    expect(await main(page)).toContain('tr_4711')
    await look(page, 'ops-writes')
  } finally {
    await order({ do: 'publish', subject: lossOfSubmitter, value: null })
    await order({ do: 'start', service: 'submitter' })
  }
  const page = await newVisitor()
  await signInAs(page, 'jonas', '/ops/writes')
  await untilBanner(page, false)
  expect(await main(page)).toContain('Writes are open.')
  await look(page, 'ops-writes-open')
})
