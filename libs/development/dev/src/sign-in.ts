/**
 * The command `sign-in`: an application on this machine that a person signs in to, against the stack of `dev`. It prints
 * the granted scopes and sends requests until its access ends.
 */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { defineCommand } from '@financial-agents/runtime/command'
import { runCommand } from '@financial-agents/runtime/program'
import { type ApplicationClient, createApplicationClient } from '@financial-agents/testkit/application-client'
import { root } from '@financial-agents/testkit/programs'
import type { Stack } from '@financial-agents/testkit/stack'
import { listenOnLoopback } from './loopback-listener.ts'

const devStack = join(root, '.dev/stack.json')
const donePage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Tally</title><meta name="color-scheme" content="light dark">
<main><h1>Tally has its answer</h1><p>Close this page and look at the terminal.</p></main></html>`
const pauseMs = 1_000

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

type Running = { base_url: string; clients: Stack['clients'] }

async function readStack(file: string): Promise<Running> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Error('no stack is running: start one with npx -y pnpm@12 dev, and leave it up')
  })
  return JSON.parse(text) as Running
}

export const command = defineCommand({
  summary: 'run an application that asks for your consent, against a running stack',
  usage: [
    ['sign-in', 'an application on this machine: prints the address to open'],
    ['sign-in --device', 'an application on another device: prints the code to enter'],
  ],
  optionMeanings: [['--stack <file>', "the running stack's stack.json (.dev/stack.json)"]],
  options: { device: { type: 'boolean', default: false }, stack: { type: 'string', default: devStack } },
  run: async ({ values }) => {
    await signIn(values.device, values.stack).catch(failInOneLine)
    return undefined
  },
})

async function signIn(device: boolean, stackFile: string): Promise<void> {
  const { base_url, clients } = await readStack(stackFile)
  const registered = clients.find(({ profile }) => profile === (device ? 'device' : 'native'))
  if (!registered || registered.profile === 'service') throw new Error('the running stack has no such application')
  const client = await createApplicationClient(base_url, registered)
  await (device ? signInByCode(client, registered.scopes) : signInHere(client, registered.redirect_uris[0]))
  await tell(client, registered.name)
  say(`ask       every second, until you end its access at ${base_url}/account (Ctrl-C stops)`)
  say(`refused   ${await askUntilRefused(client)}: ${registered.name} can do nothing any more`)
}

/** Prints an OAuth error by its code. */
function failInOneLine(error: unknown): never {
  const { error: code, error_description: description } = error as Record<string, string | undefined>
  if (!code) throw error
  throw new Error(`${code}${description ? `: ${description}` : ''}`)
}

async function signInHere(client: ApplicationClient, registeredUri = ''): Promise<void> {
  const listener = await listenOnLoopback(registeredUri, donePage)
  try {
    const request = await client.authorize(listener.redirectUri)
    say(`open      ${request.url.href}`)
    await client.redeem(await listener.answer, request)
  } finally {
    await listener.close()
  }
}

async function signInByCode(client: ApplicationClient, scopes: readonly string[]): Promise<void> {
  const started = await client.startDevice(scopes.join(' '))
  say(`open      ${started.verification_uri}`)
  say(`enter     ${started.user_code}`)
  await client.pollDevice(started)
}

async function tell(client: ApplicationClient, name: string): Promise<void> {
  const identity = await client.request('GET', '/v1/identity')
  const authorization = await client.request('GET', '/v1/authorization')
  const beneficiaries = await client.request('GET', '/v1/beneficiaries')
  const { grant, policy } = authorization.body
  say(`signed in ${identity.body.display_name}; ${name} is allowed until ${grant.expires_at}`)
  say(`scopes    ${grant.scopes.join(' ')}`)
  say(`policy    ${JSON.stringify(policy)}`)
  say(`read      ${beneficiaries.body.items.length} beneficiaries`)
}

/**
 * Sends requests until one is refused; returns the OAuth error or problem code of that refusal. An expired token is
 * renewed.
 */
async function askUntilRefused(client: ApplicationClient): Promise<string> {
  for (;;) {
    const { status } = await client.request('GET', '/v1/authorization')
    if (status === 401) {
      const ended = await client.refresh().then(
        () => undefined,
        (error: Error & { error?: string }) => error.error ?? error.message,
      )
      if (ended !== undefined) return `401, and no new token: ${ended}`
    }
    await delay(pauseMs)
  }
}

if (import.meta.main) runCommand('sign-in', command)
