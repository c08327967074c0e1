/**
 * The published client in a real browser, on the origin of its application: sign-in by redirect, tokens and a key that no script can
 * export in IndexedDB, reads across origins.
 */

import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { environment } from './environment.ts'
import { allowButton, signIn } from './steps.ts'
import { newVisitor, useBrowser } from './visitor.ts'

useBrowser()

const origin = 'https://board.pocket.example'
const scopes = ['identity:read', 'operations:read', 'accounts:read']

/** The application: signs in on its first page, and shows what it reads on the page to which the browser comes back. */
const program = (baseUrl: string) => `
import { FinancialAgents } from '@financial-agents/client'
import { spa } from '@financial-agents/client/auth/spa'
import { indexedDbStore } from '@financial-agents/client/stores/indexeddb'
const store = indexedDbStore()
const auth = spa({ scopes: ${JSON.stringify(scopes)}, redirectUri: '${origin}/signed-in' })
const agent = FinancialAgents({ baseUrl: '${baseUrl}', clientId: 'pocket-board', auth, store })
const show = async () => {
  if (location.search.includes('code=')) await agent.completeSignIn(location.href)
  else if (location.pathname === '/') return (location.href = (await agent.signIn()).url)
  const key = await store.get('${baseUrl}/pocket-board/owner/dpop-key')
  const exported = await crypto.subtle.exportKey('jwk', key.privateKey).then(() => 'exported', () => 'refused')
  const both = await Promise.all([store.set('one', 1, { ifAbsent: true }), store.set('one', 2, { ifAbsent: true })])
  await store.delete('one')
  const [identity, accounts] = await Promise.all([agent.identity.get(), agent.accounts.list({ limit: 100 })])
  return { exported, both, gone: await store.get('one'), locale: identity.locale, accounts: accounts.items.length }
}
show().then((shown) => { document.title = JSON.stringify(shown) }, (error) => { document.title = String(error) })
`

async function bundled(baseUrl: string): Promise<string> {
  const built = await build({
    stdin: { contents: program(baseUrl), resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['@financial-agents/source'],
    write: false,
  })
  return built.outputFiles[0]?.text ?? ''
}

test('a browser application signs in by redirect, reads, and reads again after a reload; its key cannot be exported', async () => {
  const { baseUrl } = environment()
  const script = await bundled(baseUrl)
  const page = await newVisitor({ withScript: true })
  await page
    .context()
    .grantPermissions(['local-network-access'])
    .catch(() => {})
  await page.context().route(`${origin}/**`, (route) =>
    route.request().url().endsWith('/app.js')
      ? route.fulfill({ contentType: 'text/javascript', body: script })
      : route.fulfill({
          contentType: 'text/html',
          body: '<!doctype html><script type="module" src="/app.js"></script>',
        }),
  )
  await page.goto(`${origin}/`)
  await signIn(page, 'ines')
  // The route does not cover redirects. The redirect to the application fails, and the test opens its address again.
  let answer = ''
  page.on('requestfailed', (asked) => {
    if (asked.url().startsWith(`${origin}/signed-in?`)) answer = asked.url()
  })
  await allowButton(page).click()
  await expect.poll(() => [answer !== '', page.url().startsWith('chrome-error:')]).toEqual([true, true])
  await page.goto(answer)
  const shown = { exported: 'refused', both: [true, false], locale: 'pt-PT', accounts: 3 }
  await expect.poll(() => page.title()).toBe(JSON.stringify(shown))
  await page.goto(`${origin}/again`)
  await expect.poll(() => page.title()).toBe(JSON.stringify(shown))
})
