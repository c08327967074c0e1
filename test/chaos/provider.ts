/**
 * The provider behind the stack of a run: the fake one, or the one in Python behind its front. Each has its own people, payees and pages.
 *
 * Invariant: a run validates both by the same checks. If a provider lacks a feature, its runs leave out the ways that need
 * the feature, by name and with the reason.
 */

import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Stack } from '@financial-agents/testkit/stack'
import { type ProviderControl, pythonPayout, startProviderFront } from '../provider-front.ts'
import { providerOf } from '../stack.test-helper.ts'
import type { Way } from './matrix.ts'

export const providerNames = ['fake', 'python'] as const
export type ProviderName = (typeof providerNames)[number]

type Payout = { readonly currency: string; readonly payout: Readonly<Record<string, unknown>> }

/** A provider as the runs know it. */
export type ProviderOfWorld = ProviderControl & {
  /** The origin of its pages. */
  readonly origin: string
  /** The members of the form by which a person decides, beside her decision. */
  readonly approvalForm: Readonly<Record<string, string>>
  readonly signInForm: Readonly<Record<string, string>>
  /** Credentials of somebody whom the provider did not know yet. */
  newCredentials(): Promise<string>
}

/** A provider before its stack is started. */
export type ChosenProvider = {
  readonly payouts: { readonly amara: Payout; readonly ines: Payout }
  /** The ways that no run takes here, with the reason. */
  readonly leftOut: ReadonlyMap<Way, string>
  /** For every service of the stack. */
  readonly environment: Readonly<Record<string, string>>
  /** Gives seeded owners credentials of this provider, before they are bound. */
  seed(folder: string, owners: { readonly amara: string; readonly ines: string }): Promise<void>
  open(stack: Stack): ProviderOfWorld
  close(): Promise<void>
}

export const leftOutBy: { readonly [Name in ProviderName]: ReadonlyMap<Way, string> } = {
  fake: new Map(),
  python: new Map([['verifications', 'it has verified everybody, and opens no page for a check']]),
}

export function chooseProvider(name: ProviderName): Promise<ChosenProvider> {
  return choices[name]()
}

const choices: { readonly [Name in ProviderName]: () => Promise<ChosenProvider> } = {
  fake: async () => ({
    payouts: {
      amara: {
        currency: 'GBP',
        payout: {
          country: 'GB',
          payout_schema_id: 'fps_gb_gbp',
          details: { sort_code: '601613', account_number: '31926819' },
        },
      },
      ines: {
        currency: 'EUR',
        payout: { country: 'PT', payout_schema_id: 'sepa_pt_eur', details: { iban: 'PT50000201231234567890154' } },
      },
    },
    leftOut: leftOutBy.fake,
    environment: {},
    // The seeds are the fake provider's own.
    seed: async () => {},
    open: (stack) => ({
      ...providerOf(stack),
      origin: new URL(stack.providerUrl).origin,
      approvalForm: {},
      signInForm: { test_user: 'per_daniel' },
      newCredentials: async () => `test-user-tomasz-zielinski-gdansk~${randomUUID().slice(0, 8)}`,
    }),
    close: async () => {},
  }),
  python: async () => {
    const front = await startProviderFront()
    const payout = { currency: 'EUR', payout: pythonPayout }
    return {
      payouts: { amara: payout, ines: payout },
      leftOut: leftOutBy.python,
      environment: { PROVIDER_URL: front.url, PROVIDER_PAGES_ORIGIN: front.url },
      async seed(folder, { amara, ines }) {
        const write = async (owner: string, approves: boolean) =>
          writeFile(join(folder, `credentials-${owner}`), await front.connect(approves), { mode: 0o600 })
        await Promise.all([write(amara, false), write(ines, true)])
      },
      open: () => ({
        ...front,
        origin: front.url,
        approvalForm: { person: 'saskia' },
        signInForm: { person: 'joost' },
        newCredentials: () => front.connect(false),
      }),
      close: () => front.close(),
    }
  },
}
