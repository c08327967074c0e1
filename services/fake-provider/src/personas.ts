/**
 * The people whose accounts this provider keeps. Invented; each lives in another country. The credentials string is
 * what a provider binding holds for the person and is good for nothing but this process.
 */

export type Persona = {
  readonly id: string
  readonly name: string
  readonly country: string
  readonly countryName: string
  readonly currency: string
  /** BCP 47. */
  readonly locale: string
  /** IANA. */
  readonly timezone: string
  /** What sets this one apart, in a sentence for whoever chooses. */
  readonly about: string
  readonly credentials: string
}

export const personas: readonly Persona[] = [
  {
    id: 'per_ines',
    name: 'Inês Carvalho',
    country: 'PT',
    countryName: 'Portugal',
    currency: 'EUR',
    locale: 'pt-PT',
    timezone: 'Europe/Lisbon',
    about:
      'A euro account in Lisbon. The development stack connects her from the start and registers agents that act for her.',
    credentials: 'persona-ines-carvalho-lisboa',
  },
  {
    id: 'per_amara',
    name: 'Amara Okafor',
    country: 'GB',
    countryName: 'United Kingdom',
    currency: 'GBP',
    locale: 'en-GB',
    timezone: 'Europe/London',
    about: 'A sterling account in Leeds. The development stack connects her from the start, with one agent.',
    credentials: 'persona-amara-okafor-leeds',
  },
  {
    id: 'per_daniel',
    name: 'Daniel Reyes',
    country: 'US',
    countryName: 'United States',
    currency: 'USD',
    locale: 'en-US',
    timezone: 'America/Phoenix',
    about: 'A dollar account in Tucson, where clocks never change. Connected to nothing until he signs in.',
    credentials: 'persona-daniel-reyes-tucson',
  },
  {
    id: 'per_tomasz',
    name: 'Tomasz Zieliński',
    country: 'PL',
    countryName: 'Poland',
    currency: 'EUR',
    locale: 'pl-PL',
    timezone: 'Europe/Warsaw',
    about: 'A euro account outside the euro area, in Gdańsk. Connected to nothing until he signs in.',
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
