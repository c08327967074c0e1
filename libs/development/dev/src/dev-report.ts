/**
 * The lines that `pnpm dev` prints once the stack is ready: pages to open, commands to run, and the locations of the
 * files.
 */

import { tryPath } from '@financial-agents/contract/documentation-paths'
import { linesOf } from '@financial-agents/runtime/command'
import { firstClientId } from '@financial-agents/testkit/seed-clients'
import type { Stack } from '@financial-agents/testkit/stack'

/** `folder` is the path as the reader would type it. `defaultFolder` is true if the commands find it by themselves. */
export function reportOf(stack: Stack, folder: string, defaultFolder: boolean): string[] {
  const { baseUrl, providerUrl, identityProviderUrl } = stack
  const signIn = `npx -y pnpm@12 sign-in${defaultFolder ? '' : ` --stack ${folder}/stack.json`}`
  const recipe = `npx -y pnpm@12 recipe look-around${defaultFolder ? '' : ` --api ${baseUrl}`}`
  return [
    ...section('Open in a browser', [
      [`${baseUrl}/`, 'begin here: what this is, and the first lines to copy'],
      [`${baseUrl}/docs/`, 'the documentation, built in the background: the first time takes about a minute'],
      [`${baseUrl}${tryPath}`, 'requests from a page of the documentation, without a program'],
      [`${baseUrl}/account`, "the owner's page: sign in as any of four people, without a password"],
      [`${baseUrl}/ops`, "the operators' console: Marta Vidal reads, Jonas Brandt may also suspend"],
    ]),
    ...section('Run in another terminal', [
      [signIn, 'an application that asks for your consent, then uses the API'],
      [`${signIn} --device`, `the same on a device that shows a code for ${baseUrl}/device`],
      [recipe, 'the first recipe of the client for TypeScript; `recipe` alone lists all'],
    ]),
    ...section('Run once for the command line; then for example: npx -y pnpm@12 cli accounts', [
      [`npx -y pnpm@12 cli login --base-url ${baseUrl} --client-id ${firstClientId} --provider-url ${providerUrl}`],
    ]),
    ...section('For an agent of your own', [
      [baseUrl, 'the API'],
      [
        firstClientId,
        'a client id with every scope, for the SDK and the command line: it signs in as a device and needs no key',
      ],
      [`${folder}/stack.json`, 'the addresses, the clients and where their keys are'],
      [`${folder}/logs/`, 'a log of each service'],
      [providerUrl, 'the fake provider; its README lists the faults it can play'],
      [identityProviderUrl, 'the fake identity provider, where operators sign in'],
    ]),
  ]
}

function section(title: string, rows: readonly (readonly string[])[]): string[] {
  return ['', title, ...linesOf(rows).map((line) => `  ${line}`)]
}
