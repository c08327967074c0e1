/**
 * The steps at which a process can be killed during a write. They are the failpoints found in the services' sources, so
 * a new failpoint joins the matrix without a line here.
 */

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ServiceName, serviceNames } from '@financial-agents/testkit/stack-services'

const root = join(import.meta.dirname, '../..')

export type Step = { service: ServiceName; failpoint: string }

/** The name of a step in rules and reports: `submitter claim.after_commit`. */
export const nameOf = ({ service, failpoint }: Step): string => `${service} ${failpoint}`

export const steps: readonly Step[] = serviceNames.flatMap((service) =>
  sourcesOf(service)
    .filter((file) => !file.includes('.test'))
    .flatMap((file) => [...readFileSync(join(root, file), 'utf8').matchAll(/failpoint\('([a-z_.]+)'\)/g)])
    .map((match) => ({ service, failpoint: match[1] as string })),
)

/** The sources of an area with writes include libs/frame/writes. */
function sourcesOf(service: ServiceName): string[] {
  const { dependencies } = JSON.parse(readFileSync(join(root, `services/${service}/package.json`), 'utf8'))
  const folders = [`services/${service}`, ...('@financial-agents/writes' in dependencies ? ['libs/frame/writes'] : [])]
  return folders.flatMap((folder) => globSync(`${folder}/src/**/*.ts`, { cwd: root })).toSorted()
}
