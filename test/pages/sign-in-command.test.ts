/** `pnpm sign-in` as a developer runs it together with `pnpm dev`. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Child, startChild } from '@financial-agents/servers/child-process'
import { isDeep } from '@financial-agents/testkit/deep'
import { afterEach, expect, test } from 'vitest'
import { environment } from './environment.ts'
import { allowButton, button, heading, signIn } from './steps.ts'
import { newVisitor, useBrowser } from './visitor.ts'

useBrowser()

const root = join(import.meta.dirname, '../..')
const started: Child[] = []
let folder: string | undefined
afterEach(async () => {
  await Promise.all(started.splice(0).map((child) => child.stop()))
  if (folder) await rm(folder, { recursive: true })
  folder = undefined
})

async function run(...args: string[]): Promise<Child> {
  folder = await mkdtemp(join(tmpdir(), 'sign-in-command-'))
  const file = join(folder, 'stack.json')
  const { baseUrl, clients } = environment()
  await writeFile(file, JSON.stringify({ base_url: baseUrl, clients }))
  const command = ['libs/development/dev/src/sign-in.ts', '--stack', file, ...args]
  const child = await startChild('pnpm sign-in', process.execPath, command, { cwd: root })
  started.push(child)
  return child
}

/** Waits for a line that begins with the word; returns the rest of the line. */
async function said(child: Child, word: string): Promise<string> {
  const find = () => child.lastLines().find((line) => line.startsWith(word))
  await expect.poll(() => find() ?? child.lastLines().join('\n')).toMatch(new RegExp(`^${word}`))
  return find()?.slice(word.length).trim() ?? ''
}

test('it signs in here, says what it was allowed, and is refused once its access is ended', async () => {
  const child = await run()
  const page = await newVisitor()
  await page.goto(await said(child, 'open'))
  await signIn(page, 'daniel')
  await allowButton(page).click()
  expect(await heading(page)).toBe('Tally has its answer')
  expect(await said(child, 'signed in')).toMatch(/^Daniel Reyes; Tally is allowed until 2/)
  expect(await said(child, 'scopes')).toContain('beneficiaries:read')
  expect(await said(child, 'read')).toMatch(/^\d+ beneficiaries/)
  await page.goto(`${environment().baseUrl}/account`)
  await button(page, 'End access of Tally').click()
  expect(await said(child, 'refused')).toContain('invalid_grant')
  expect(await child.exited).toEqual({ code: 0, signal: null })
})

// The command polls every five seconds.
if (isDeep)
  test('it shows a code for another device', async () => {
    const child = await run('--device')
    const page = await newVisitor()
    await page.goto(await said(child, 'open'))
    await page.getByLabel('Code').fill(await said(child, 'enter'))
    await button(page, 'Continue').click()
    await button(page, 'Yes, the codes are the same').click()
    await signIn(page, 'daniel')
    await allowButton(page).click()
    expect(await said(child, 'signed in')).toContain('Errand Runner')
  })

test('denied, it says so in one line', async () => {
  const child = await run()
  const page = await newVisitor()
  await page.goto(await said(child, 'open'))
  await button(page, 'Cancel').click()
  expect(await child.exited).toEqual({ code: 1, signal: null })
  expect(child.lastLines().at(-1)).toMatch(/^sign-in: access_denied/)
})

test('without a running stack it says what to start', async () => {
  const child = await startChild(
    'pnpm sign-in',
    process.execPath,
    ['libs/development/dev/src/sign-in.ts', '--stack', '/nowhere'],
    {
      cwd: root,
    },
  )
  expect(await child.exited).toEqual({ code: 1, signal: null })
  expect(child.lastLines()).toEqual([
    'sign-in: no stack is running: start one with npx -y pnpm@12 dev, and leave it up',
  ])
})
