/** The tree of commands, compared with its help and with the README. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateHelpTextForAllCommands, type StricliProcess } from '@stricli/core'
import { expect, test } from 'vitest'
import { app } from './app.ts'
import { faults } from './commands/sandbox.ts'
import { propose } from './completion/propose.ts'
import type { CliProcess } from './context.ts'
import { type Ending, exitCodes, meanings } from './exit-codes.ts'

const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
const helps = generateHelpTextForAllCommands(app as unknown as Parameters<typeof generateHelpTextForAllCommands>[0])

/** The rows of the table under a heading of the README, without their padding. */
function rowsUnder(heading: string): string[][] {
  const section = readme.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  const lines = section.split('\n').filter((line) => line.startsWith('|'))
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

/** The description of a command: the first line after its usage. */
const briefOf = (help: string) => help.split('\n\n')[1]?.trim() ?? ''

/** Every command of a map, with its purpose. */
function commandsOf(target: RoutingTarget, prefix: string[] = []): string[][] {
  if (!('getAllEntries' in target)) return [[`\`${prefix.join(' ')}\``, target.brief]]
  return target.getAllEntries().flatMap((entry) => commandsOf(entry.target, [...prefix, entry.name.original]))
}
type RoutingTarget = typeof app.root

test('the README lists every command with its purpose', () => {
  expect(rowsUnder('Commands')).toEqual(commandsOf(app.root))
})

test('the README lists every exit code with its meaning', () => {
  const codes = Object.entries(meanings).map(([ending, meaning]) => [`${exitCodes[ending as Ending]}`, meaning])
  expect(rowsUnder('Exit codes')).toEqual(codes)
})

test.each(helps)('%s explains itself: usage, purpose, every flag', (_route, help) => {
  expect(help).toMatch(/^USAGE\n {2}financial-agents /)
  expect(briefOf(help)).toMatch(/^[A-Z]/)
  expect(help.split('\n').filter((line) => line.length > 130)).toEqual([])
  expect(help).not.toMatch(/\bundefined\b|\[object/)
  for (const line of help.split('\n').filter((line) => /^ +\[?--\w/.test(line)))
    expect(line).toMatch(/ {2}[A-Z]|fail:|slow:|settle_later:/)
})

const proposed = async (...words: string[]) =>
  (await propose(words, { process: process as CliProcess & StricliProcess })).map(({ completion }) => completion)

test('completion proposes commands, flags and the values of choices', async () => {
  expect(await proposed('pa')).toEqual(['payees', 'pay', 'payments'])
  expect(await proposed('webhooks', '')).toEqual(['listen', 'resend', 'secret', 'keys', 'list', 'deliveries'])
  expect(await proposed('pay', '--in')).toEqual(['--intent'])
  expect(await proposed('login', '--method', '')).toEqual(['device', 'loopback'])
  expect(await proposed('trigger', '')).toEqual([...Object.keys(faults), 'list', 'clear', 'settle'])
})
