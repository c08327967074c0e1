/** The tree of commands. */

import {
  ArgumentScannerError,
  buildApplication,
  buildRouteMap,
  formatMessageForArgumentScannerError,
  text_en,
} from '@stricli/core'
import { cards } from './commands/cards.ts'
import { clock } from './commands/clock.ts'
import { completion } from './commands/completion.ts'
import { doctor } from './commands/doctor.ts'
import { init } from './commands/init.ts'
import { mandates } from './commands/mandates.ts'
import { mcp } from './commands/mcp.ts'
import { pay } from './commands/money.ts'
import { operations } from './commands/operations.ts'
import { payees } from './commands/payees.ts'
import { accounts, paymentsList } from './commands/reads.ts'
import { testUsers, trigger } from './commands/sandbox.ts'
import { login, logout, profiles, whoami } from './commands/session.ts'
import { webhooks } from './commands/webhooks.ts'
import type { CliContext } from './context.ts'
import { type Ending, exitCodes, meanings } from './exit-codes.ts'
import { plainLines } from './output/plain.ts'
import { version } from './version.ts'

export const name = 'financial-agents'

const root = buildRouteMap({
  routes: {
    init,
    login,
    logout,
    whoami,
    profiles,
    accounts,
    payees,
    mandates,
    pay,
    cards,
    payments: buildRouteMap({ routes: { list: paymentsList }, docs: { brief: 'Payments of this client' } }),
    operations,
    webhooks,
    mcp,
    trigger,
    clock,
    'test-users': testUsers,
    doctor,
    completion,
  },
  docs: {
    brief: 'The command line of the Financial Agents API',
    fullDescription:
      'Results go to stdout, everything else to stderr. Exit codes:\n' +
      Object.entries(meanings)
        .map(([ending, meaning]) => `  ${String(exitCodes[ending as Ending]).padEnd(5)}${meaning}`)
        .join('\n'),
  },
})

/** The fault of a command line, in words. */
function misuse(error: unknown): string {
  if (!(error instanceof ArgumentScannerError)) return `${(error as Error).message}.`
  const message = formatMessageForArgumentScannerError(error, {
    ArgumentParseError: ({ externalFlagNameOrPlaceholder: named, input, exception }) =>
      `${named} "${input}": ${(exception as Error).message}`,
    UnsatisfiedPositionalError: ({ placeholder }) => `Give <${placeholder}>`,
    UnsatisfiedFlagError: ({ externalFlagName }) => `Give --${externalFlagName} with its value`,
  })
  return plainLines(/[.?]$/.test(message) ? message : `${message}.`)
}

export const app = buildApplication<CliContext>(root, {
  name,
  versionInfo: { currentVersion: version },
  scanner: { caseStyle: 'allow-kebab-for-camel', allowArgumentEscapeSequence: true },
  documentation: { useAliasInUsageLine: false, onlyRequiredInUsageLine: true },
  localization: {
    text: {
      ...text_en,
      exceptionWhileParsingArguments: (error) => `error: ${misuse(error)} For help: --help`,
    },
  },
})
