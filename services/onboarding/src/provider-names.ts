/** What a provider is called to its owner where the binding itself says nothing. */

const names: Readonly<Record<string, string>> = { fake: 'Fake provider' }

export function providerName({ display_name, provider }: { display_name: string | null; provider: string }): string {
  return display_name ?? names[provider] ?? provider
}
