/**
 * The people whose accounts this provider keeps. Invented; each lives in another country. The credentials string is
 * what a provider binding holds for the person and is good for nothing but this process.
 */

export type Persona = {
  readonly id: string
  readonly name: string
  readonly country: string
  readonly currency: string
  readonly credentials: string
}

export const personas: readonly Persona[] = [
  {
    id: 'per_ines',
    name: 'Inês Carvalho',
    country: 'PT',
    currency: 'EUR',
    credentials: 'persona-ines-carvalho-lisboa',
  },
  {
    id: 'per_amara',
    name: 'Amara Okafor',
    country: 'GB',
    currency: 'GBP',
    credentials: 'persona-amara-okafor-leeds',
  },
  {
    id: 'per_daniel',
    name: 'Daniel Reyes',
    country: 'US',
    currency: 'USD',
    credentials: 'persona-daniel-reyes-tucson',
  },
  {
    id: 'per_tomasz',
    name: 'Tomasz Zieliński',
    country: 'PL',
    currency: 'EUR',
    credentials: 'persona-tomasz-zielinski-gdansk',
  },
]

const byAuthorization: ReadonlyMap<string, Persona> = new Map(
  personas.map((persona) => [`Bearer ${persona.credentials}`, persona]),
)

/** The persona that an `Authorization` header names. */
export function findPersona(authorization: string | undefined): Persona | undefined {
  return authorization === undefined ? undefined : byAuthorization.get(authorization)
}
