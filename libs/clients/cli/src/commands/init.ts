/**
 * `init`: registers a client of one's own with a sandbox, writes a program that pays once, and runs it. For a deployment it prints the
 * registration that its operator declares.
 */

import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Cli } from '../cli.ts'
import { command } from '../command.ts'
import { CliError } from '../failure.ts'
import { type CommonFlags, commonFlags, loopbackUrl, textFlag } from '../flags.ts'
import { sandboxControl } from '../sandbox-control.ts'
import { defaultScopes } from '../scopes.ts'

type InitFlags = CommonFlags & {
  readonly providerUrl?: string
  readonly name?: string
  readonly language: 'javascript' | 'python'
}

type Program = { baseUrl: string; clientId: string; intent: string }

const scopes = ['beneficiaries:read', 'beneficiaries:write', 'operations:read', 'spending:withdraw']
const eur = (amount: string) => ({ amount, currency: 'EUR' })

export const init = command({
  docs: {
    brief: 'Register a client of your own with a sandbox, and make its first payment',
    fullDescription:
      'With the provider of a sandbox: registers a client, writes pay.mjs or pay.py into this folder, and runs it. The owner opens the page that the program prints; with --owner-consents the sandbox does it. Without a sandbox: prints the registration for the operator of a deployment, as `clients.declarations` of the chart has it.',
    customUsage: ['--provider-url http://127.0.0.1:4010', '--name "Rent Payer"'],
  },
  parameters: {
    flags: {
      ...commonFlags,
      providerUrl: {
        kind: 'parsed',
        parse: loopbackUrl,
        brief: 'The fake provider of the sandbox, as the sandbox printed it',
        placeholder: 'url',
        optional: true,
      },
      name: textFlag('The name that owners read', 'name'),
      language: {
        kind: 'enum',
        values: ['javascript', 'python'],
        brief: 'The language of the program',
        default: 'javascript',
      },
    },
  },
  run: async (cli: Cli, { providerUrl, name = 'My Agent', language }: InitFlags) => {
    const clientId = `agent-${randomBytes(4).toString('hex')}`
    const registration = {
      client_id: clientId,
      name,
      profile: 'device',
      scopes: defaultScopes,
      policy: { withdrawal_ceilings: { per_payment: eur('100.00'), per_day: eur('250.00') } },
    }
    const provider = providerUrl ?? (await cli.used()).profile.provider_url
    if (provider === undefined) return printRegistration(cli, registration)
    const control = await sandboxControl(provider, cli.signal)
    const { base_url: baseUrl } = (await control('GET', '/')) as { base_url: string }
    await control('POST', '/clients', registration)
    const program = { baseUrl, clientId, intent: `first-payment-${randomBytes(4).toString('hex')}` }
    const file = await writeProgram(language, program)
    cli.output.note(`Registered ${clientId} at ${baseUrl}, and wrote ${file}. Running it:`)
    const outcome = await runProgram(cli, language, file)
    cli.output.one({ client_id: clientId, base_url: baseUrl, program: file, outcome }, [
      ['Payment', outcome],
      ['Client', clientId],
      ['Program', file],
      [
        'Sign in here',
        `financial-agents login --base-url ${baseUrl} --client-id ${clientId} --provider-url ${provider}`,
      ],
    ])
  },
})

function printRegistration(cli: Cli, registration: object): void {
  cli.output.note('Send this to the operator of the API. In the values of the chart:')
  if (cli.output.format !== 'text') return cli.output.line(registration)
  // Each value is JSON, which is YAML.
  const members = Object.entries(registration).map(([member, value]) => `${member}: ${JSON.stringify(value)}`)
  for (const line of [
    'clients:',
    '  declarations:',
    `    - ${members[0]}`,
    ...members.slice(1).map((line) => `      ${line}`),
  ])
    cli.output.line(line)
}

const files = { javascript: 'pay.mjs', python: 'pay.py' }

async function writeProgram(language: InitFlags['language'], program: Program): Promise<string> {
  const file = files[language]
  const text = language === 'javascript' ? javascript(program) : python(program)
  await writeFile(join(process.cwd(), file), text, { flag: 'wx' }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'EEXIST') throw cause
    throw new CliError('wrongUse', 'program_exists', `${file} exists already. Run it, or run this in another folder.`)
  })
  return file
}

/** Runs the program; returns the line that it printed last. The lines before are for the owner. */
async function runProgram(cli: Cli, language: InitFlags['language'], file: string): Promise<string> {
  if (language === 'javascript') installClient(cli)
  const child = spawn(language === 'javascript' ? process.execPath : 'python3', [file], {
    stdio: ['ignore', 'pipe', 'inherit'],
    signal: cli.signal,
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject).on('exit', resolve)
  })
  let last = ''
  for await (const line of createInterface({ input: child.stdout })) {
    last = line
    cli.output.tell(line)
  }
  const code = await ended
  if (code === 0) return last
  const help = language === 'python' ? ' It needs the package: python3 -m pip install financial-agents.' : ''
  throw new CliError(
    'failed',
    'program_failed',
    `${file} ended with ${code}.${help} Its client is registered: run it again.`,
  )
}

/** Installs the client into this folder, unless the program finds it already. */
function installClient(cli: Cli): void {
  try {
    createRequire(join(process.cwd(), files.javascript)).resolve('@financial-agents/client')
  } catch {
    cli.output.note('Installing @financial-agents/client')
    spawnSync('npm', ['install', '--no-audit', '--no-fund', '@financial-agents/client'], { stdio: 'ignore' })
  }
}

const javascript = ({
  baseUrl,
  clientId,
  intent,
}: Program) => `import { FinancialAgents } from '@financial-agents/client'
import { device } from '@financial-agents/client/auth/device'
import { fileStore } from '@financial-agents/client/stores/file'

const agent = FinancialAgents({
  baseUrl: '${baseUrl}',
  clientId: '${clientId}',
  auth: device({ scopes: ${JSON.stringify(scopes)} }),
  store: fileStore('.agent'),
  onOwnerNeeded: ({ url, code }) => console.log(\`Open \${url} and enter the code \${code}\`),
})

const payee = await agent.payee({
  intent: 'payee-rui',
  name: 'Rui Prado',
  country: 'PT',
  currency: 'EUR',
  details: { iban: 'PT50000201231234567890154' },
})

const payment = await agent.pay({ intent: '${intent}', payee, amount: '12.50', currency: 'EUR' })
console.log(payment.status, payment.operation.id)
`

const python = ({
  baseUrl,
  clientId,
  intent,
}: Program) => `from financial_agents import FinancialAgents, device, file_store

agent = FinancialAgents(
    "${baseUrl}",
    "${clientId}",
    device(scopes=${JSON.stringify(scopes)}),
    store=file_store(".agent"),
    on_owner_needed=lambda needed: print(f"Open {needed.url} and enter the code {needed.code}", flush=True),
)

payee = agent.payee(
    intent="payee-rui",
    name="Rui Prado",
    country="PT",
    currency="EUR",
    details={"iban": "PT50000201231234567890154"},
)

payment = agent.pay(intent="${intent}", payee=payee, amount="12.50", currency="EUR")
print(payment.status, payment.operation["id"])
`
