/**
 * The permitted network connections, written by hand from the architecture and the services' code. The tests compare
 * them with the rendered policies. The table is never derived from the chart.
 */

/** Destinations of a component, besides DNS. */
export type Destination = 'nats' | 'postgres' | 'provider' | 'internet' | 'identity-provider' | 'gateway' | 'otlp'

/** Clients of a component. */
export type Visitor = 'ingress' | 'prometheus' | 'ops-console' | 'smoke'

type Row = { to: Destination[]; from: Partial<Record<'http' | 'health', Visitor[]>> }

const measured = { health: ['prometheus'] } satisfies Row['from']
const area: Row = { to: ['nats', 'postgres', 'provider', 'otlp'], from: measured }

export const networkTable: Record<string, Row> = {
  // The gateway connects only to NATS: it has no schema, and verifies tokens with keys that authz publishes on the bus.
  gateway: { to: ['nats', 'otlp'], from: { http: ['ingress', 'ops-console', 'smoke'], ...measured } },
  // The internet: for clients' `jwks_uri`.
  authz: { to: ['nats', 'postgres', 'internet', 'otlp'], from: measured },
  // The provider: to prepare approvals.
  operations: area,
  submitter: area,
  reconciler: area,
  beneficiaries: area,
  cards: area,
  spending: area,
  onboarding: area,
  catalog: area,
  // The internet: for receivers of webhooks.
  notifier: { to: ['nats', 'postgres', 'internet', 'otlp'], from: measured },
  // The gateway: for API calls with the operator's token.
  'ops-console': { to: ['nats', 'postgres', 'gateway', 'identity-provider', 'otlp'], from: measured },
  // Jobs.
  migrations: { to: ['postgres'], from: {} },
  streams: { to: ['nats', 'postgres'], from: {} },
  clients: { to: ['postgres'], from: {} },
  bindings: { to: ['postgres'], from: {} },
  smoke: { to: ['gateway'], from: {} },
}

const users = Object.entries(networkTable)
const whoGoTo = (...destinations: Destination[]) =>
  users.filter(([, { to }]) => destinations.some((destination) => to.includes(destination))).map(([name]) => name)

/** The development profile, which contains every component: the pods that may connect to each port. */
export const developmentConnections: Record<string, { port: number; from: string[] }> = {
  gateway: { port: 8080, from: ['ops-console', 'smoke'] },
  nats: { port: 4222, from: whoGoTo('nats') },
  postgres: { port: 5432, from: whoGoTo('postgres') },
  'fake-provider': { port: 4010, from: whoGoTo('provider') },
}
