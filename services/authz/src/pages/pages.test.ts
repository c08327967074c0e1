/** Every path of the list of pages is routed. The gateway carries a path that no page answers as well. */

import { pagePaths } from '@financial-agents/pages/page-paths'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { browse, makeBrowser } from '../test-client.test-helper.ts'
import { startTestPages, type TestPages } from './pages.test-helper.ts'

let pages: TestPages
beforeAll(async () => {
  pages = await startTestPages()
})
afterAll(() => pages.close())

test.each(Object.values(pagePaths))('%s is the path of a page', async (path) => {
  const target = path.replaceAll(/:\w+/g, 'one')
  expect(await browse(pages.server, makeBrowser(), target, { method: 'PUT' })).toMatchObject({ status: 405 })
})
