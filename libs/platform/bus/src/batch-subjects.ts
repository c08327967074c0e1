/**
 * The subjects of batches. They lie within `rpc.<service>.>`: whoever may send a batch may send each route of that
 * service, and only a process of that service receives it. Calls (`int.`) have permissions of their own for each
 * subject and never travel in batches.
 */

const routes = 'rpc.'

/** The service of a route's subject; undefined for any other subject. */
export function serviceOfRoute(subject: string): string | undefined {
  if (!subject.startsWith(routes)) return undefined
  const end = subject.indexOf('.', routes.length)
  return end === -1 ? undefined : subject.slice(routes.length, end)
}

/** The subject on which the processes of a service receive batches. */
export function batchSubject(service: string): string {
  return `${routes}${service}.batch`
}

/** The subject on which one process gives out the answers of a batch that were not ready with the first. */
export function collectSubject(service: string, processAndBatch: string): string {
  return `${routes}${service}.collect.${processAndBatch}`
}
