/** The command `provider-conformance`: validates a provider that speaks the Provider API, or an adapter package, case by case. */

import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isOperationKind, type OperationKind, operationKinds } from '@financial-agents/contract/kinds'
import { createHttpAdapter } from '@financial-agents/provider-http/adapter'
import { defineCommand, UsageError } from '@financial-agents/runtime/command'
import { runCommand } from '@financial-agents/runtime/program'
import { version } from '@financial-agents/runtime/version'
import { openAdapterOf, openHarnessOf } from './adapter-package.ts'
import { authenticationFlags, authenticationMeanings, readFlags } from './authentication-flags.ts'
import { isPassed, jsonReport, junitReport, textReport } from './report.ts'
import { type CaseResult, runCases, runHarness } from './run.ts'

export const command = defineCommand({
  summary:
    'validate a provider that speaks the Provider API, or an adapter by its harness: exit code 0 if it conforms, 1 if it does not',
  usage: [
    ['provider-conformance --url <address>', 'the provider whose sandbox answers there'],
    ['provider-conformance --url <address> --adapter <package>', 'the same by another adapter: a package or a file'],
    [
      'provider-conformance --harness <package>',
      'the harness of an adapter package: for a provider of another interface',
    ],
    ['provider-conformance --url <address> --only <text>', 'cases whose name contains the text'],
    ['provider-conformance --url <address> --kinds <kind,…>', 'the kinds of operation that it offers; by default all'],
  ],
  optionMeanings: [
    ['--sign-in-issuer <address>', 'the OpenID provider at which people sign in, in place of a hosted page'],
    ['--junit <file>, --json <file>', 'the results as JUnit XML, and as JSON'],
    ...authenticationMeanings,
  ],
  options: {
    url: { type: 'string' },
    adapter: { type: 'string' },
    harness: { type: 'string' },
    only: { type: 'string' },
    kinds: { type: 'string' },
    'sign-in-issuer': { type: 'string' },
    junit: { type: 'string' },
    json: { type: 'string' },
    ...authenticationFlags,
  },
  run: async ({ values }) => {
    const { only, junit, json } = values
    const results = await validate(values)
    process.stderr.write('\n')
    if (results.length === 0) throw new UsageError(`--only ${only}: give a part of a case's name`)
    if (junit !== undefined) await write(junit, junitReport(results))
    if (json !== undefined) await write(json, jsonReport(values.url ?? values.harness ?? '', results))
    const lines = textReport(results)
    if (isPassed(results)) return lines
    process.stdout.write(`${lines.join('\n')}\n`)
    throw new Error('the provider does not conform')
  },
})

type Given = Parameters<typeof readFlags>[0] & {
  [Name in 'url' | 'harness' | 'adapter' | 'only' | 'kinds' | 'sign-in-issuer']?: string | undefined
}

async function validate(values: Given): Promise<readonly CaseResult[]> {
  const { url, harness, adapter, only } = values
  const authentication = await readFlags(values)
  const issuer = values['sign-in-issuer']
  const onResult = ({ outcome }: { outcome: string }) => void process.stderr.write(outcome === 'failed' ? '✗' : '.')
  const asked = { isWanted: (name: string) => name.includes(only ?? ''), onResult }
  if (harness !== undefined) {
    if (
      url !== undefined ||
      adapter !== undefined ||
      values.kinds !== undefined ||
      authentication !== undefined ||
      issuer !== undefined
    )
      throw new UsageError('--harness: the harness says which provider, which adapter and which kinds')
    return runHarness(await openHarnessOf(harness), asked)
  }
  if (url === undefined || !URL.canParse(url)) throw new UsageError('--url: give the address of the provider')
  if (issuer !== undefined && !URL.canParse(issuer))
    throw new UsageError('--sign-in-issuer: give the identifier of the OpenID provider, an address')
  const open = adapter === undefined ? createHttpAdapter : await openAdapterOf(adapter)
  return runCases({ url, open, kinds: kindsOf(values.kinds), authentication, issuer, ...asked })
}

function kindsOf(list: string | undefined): readonly OperationKind[] {
  if (list === undefined) return operationKinds
  return list.split(',').map((kind) => {
    if (!isOperationKind(kind)) throw new UsageError(`--kinds ${kind}: give some of ${operationKinds.join(', ')}`)
    return kind
  })
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}

// In an image, the help names the program alone and no package manager.
if (import.meta.main) runCommand('provider-conformance', command, ...(version === 'development' ? [] : ['']))
