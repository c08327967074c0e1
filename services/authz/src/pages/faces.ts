/**
 * The face of an application, which a page shows beside its name: its logo, and its publisher.
 *
 * Invariants: a publisher counts as verified only if the operator's declaration of the client says so. A logo is an address of this
 * origin.
 */

import type { Face } from '@financial-agents/owner-pages/client'
import type { Branding } from '@financial-agents/pages/branding'
import { pagePaths, pathTo } from '@financial-agents/pages/page-paths'
import type { Database } from '@financial-agents/postgres/database'
import type { Registration } from '../registration/registration.ts'
import { findLogoDigests } from '../store/client-logos.ts'
import { findClient } from '../store/clients.ts'

type Declared = { client_id: string; profile?: Registration['profile']; publisher?: Registration['publisher'] }

export type Faces = {
  of: (client: Declared) => Promise<Face>
  find: (clientId: string) => Promise<Face>
  ofAll: (clients: readonly Declared[]) => Promise<Map<string, Face>>
}

export function createFaces(db: Database, { name: installation }: Pick<Branding, 'name'>): Faces {
  const faceOf = ({ client_id, profile, publisher }: Declared, digests: ReadonlyMap<string, string>): Face => {
    const digest = digests.get(client_id)
    return {
      logo: digest === undefined ? undefined : pathTo(pagePaths.applicationLogo, { digest }),
      publisher: publisher?.name,
      isVerified: publisher?.verified === true,
      isOperators: profile === 'service' && publisher === undefined,
      installation,
    }
  }
  const of: Faces['of'] = async (client) => faceOf(client, await findLogoDigests(db, [client.client_id]))
  return {
    of,
    find: async (clientId) => of((await findClient(db, clientId))?.registration ?? { client_id: clientId }),
    ofAll: async (clients) => {
      const digests = await findLogoDigests(
        db,
        clients.map(({ client_id }) => client_id),
      )
      return new Map(clients.map((client) => [client.client_id, faceOf(client, digests)]))
    },
  }
}
