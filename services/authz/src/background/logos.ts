/** Fetches the logos that registrations name, once for each registration. No page waits for a fetch. */

import type { Database } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import type { Logo } from '../registration/fetch-logo.ts'
import { claimLogo, listWantedLogos, recordLogo } from '../store/client-logos.ts'

const batch = 20

export type LogoDependencies = { db: Database; clock: Clock; log: Log; fetchLogo: (url: string) => Promise<Logo> }

/** Returns true if more logos may be waiting. */
export async function fetchWantedLogos({ db, clock, log, fetchLogo }: LogoDependencies): Promise<boolean> {
  const all = await listWantedLogos(db, clock.now(), batch)
  for (const wanted of all) {
    if (!(await claimLogo(db, wanted, clock.now()))) continue
    const logo = await fetchLogo(wanted.logo_uri).catch((error: unknown) => {
      // Pages show the initial letter of the name instead of the logo.
      log.warn({ err: error, client_id: wanted.client_id }, 'the logo of a client was not taken')
      return undefined
    })
    if (logo) await recordLogo(db, wanted, { media_type: logo.type, bytes: logo.bytes })
  }
  return all.length === batch
}
