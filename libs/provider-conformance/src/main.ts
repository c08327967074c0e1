/** The command `provider-conformance`: judges a provider that speaks the Provider API, case by case. */

import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isOperationKind, type OperationKind, operationKinds } from '@financial-agents/operation-machine/kinds'
import { createHttpAdapter } from '@financial-agents/provider-http/adapter'
import { defineCommand, UsageError } from '@financial-agents/runtime/command'
import { runCommand } from '@financial-agents/runtime/program'
import { openAdapterOf } from './adapter-package.ts'
import { authenticationFlags, authenticationMeanings, readFlags } from './authentication-flags.ts'
import { isPassed, jsonReport, junitReport, textReport } from './report.ts'
import { runCases } from './run.ts'

const command = defineCommand({
  summary:
    'judge a provider that speaks the Provider API, by its sandbox: exit code 0 if it conforms, 1 if it does not',
  usage: [
    ['provider-conformance --url <address>', 'the provider whose sandbox answers there'],
    ['provider-conformance --url <address> --adapter <package>', 'the same by another adapter: a package or a file'],
    ['provider-conformance --url <address> --only <text>', 'cases whose name contains the text'],
    ['provider-conformance --url <address> --kinds <kind,…>', 'the kinds of operation that it offers; by default all'],
  ],
  optionMeanings: [
    ['--sign-in-issuer <address>', 'the OpenID provider at which people sign in, in place of a hosted page'],
    ['--junit <file>', 'the results as JUnit XML'],
    ['--json <file>', 'the results as JSON'],
    ...authenticationMeanings,
  ],
  options: {
    url: { type: 'string' },
    adapter: { type: 'string' },
    only: { type: 'string' },
    kinds: { type: 'string' },
    'sign-in-issuer': { type: 'string' },
    junit: { type: 'string' },
    json: { type: 'string' },
    ...authenticationFlags,
  },
  run: async ({ values }) => {
    const { url, adapter, only, junit, json } = values
    if (url === undefined || !URL.canParse(url)) throw new UsageError('--url: give the address of the provider')
    const kinds = kindsOf(values.kinds)
    const issuer = values['sign-in-issuer']
    if (issuer !== undefined && !URL.canParse(issuer))
      throw new UsageError('--sign-in-issuer: give the identifier of the OpenID provider, an address')
    const authentication = await readFlags(values)
    const open = adapter === undefined ? createHttpAdapter : await openAdapterOf(adapter)
    const onResult = ({ outcome }: { outcome: string }) => void process.stderr.write(outcome === 'failed' ? '✗' : '.')
    const isWanted = (name: string) => name.includes(only ?? '')
    const results = await runCases({ url, open, kinds, authentication, issuer, isWanted, onResult })
    process.stderr.write('\n')
    if (results.length === 0) throw new UsageError(`--only ${only}: give a part of a case's name`)
    if (junit !== undefined) await write(junit, junitReport(results))
    if (json !== undefined) await write(json, jsonReport(url, results))
    const lines = textReport(results)
    if (isPassed(results)) return lines
    process.stdout.write(`${lines.join('\n')}\n`)
    throw new Error('provider-conformance: the provider does not conform')
  },
})

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

runCommand('provider-conformance', command)
