/** Names of providers for owners, used if the binding has no name of its own: `first-bank` is `First bank`. */

export function providerName({ display_name, provider }: { display_name: string | null; provider: string }): string {
  return display_name ?? provider.charAt(0).toUpperCase() + provider.slice(1).replaceAll('-', ' ')
}
