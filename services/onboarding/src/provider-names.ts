/** Names of providers for owners, used if the binding has no name of its own. */

const names: Readonly<Record<string, string>> = { fake: 'Fake provider' }

export function providerName({ display_name, provider }: { display_name: string | null; provider: string }): string {
  return display_name ?? names[provider] ?? provider
}
