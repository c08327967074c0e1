/**
 * Who may reach whom, written by hand from the architecture and the code of the services, and compared with what is rendered:
 * never derived from the chart.
 */

/** Where a component goes, beside DNS. */
export type Destination = 'nats' | 'postgres' | 'provider' | 'internet' | 'identity-provider' | 'gateway' | 'otlp'

/** Who comes to a component, and to which port. */
export type Visitor = 'ingress' | 'prometheus' | 'ops-console' | 'smoke'

type Row = { to: Destination[]; from: Partial<Record<'http' | 'health', Visitor[]>> }

const measured = { health: ['prometheus'] } satisfies Row['from']
const area: Row = { to: ['nats', 'postgres', 'provider', 'otlp'], from: measured }

export const networkTable: Record<string, Row> = {
  // Behind it is NATS alone: it has no schema, and verifies tokens with keys that authz publishes on the bus.
  gateway: { to: ['nats', 'otlp'], from: { http: ['ingress', 'ops-console', 'smoke'], ...measured } },
  // The internet: the `jwks_uri` of clients.
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
  // The internet: receivers of webhooks.
  notifier: { to: ['nats', 'postgres', 'internet', 'otlp'], from: measured },
  // The gateway: it calls the API with the operator's token.
  'ops-console': { to: ['nats', 'postgres', 'gateway', 'identity-provider', 'otlp'], from: measured },
  // Jobs.
  migrations: { to: ['postgres'], from: {} },
  streams: { to: ['nats'], from: {} },
  clients: { to: ['postgres'], from: {} },
  bindings: { to: ['postgres'], from: {} },
  smoke: { to: ['gateway'], from: {} },
}

const users = Object.entries(networkTable)
const whoGoTo = (...destinations: Destination[]) =>
  users.filter(([, { to }]) => destinations.some((destination) => to.includes(destination))).map(([name]) => name)

/** In the development profile, where everything is in the release: which pod may open which port of which other. */
export const developmentConnections: Record<string, { port: number; from: string[] }> = {
  gateway: { port: 8080, from: ['ops-console', 'smoke'] },
  nats: { port: 4222, from: whoGoTo('nats') },
  postgres: { port: 5432, from: whoGoTo('postgres') },
  'fake-provider': { port: 4010, from: whoGoTo('provider') },
}
