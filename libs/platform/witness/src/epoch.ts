/**
 * The epoch of a database: the time between two starts of PostgreSQL on one timeline. A restore, a promotion and a plain restart each
 * begin a new one; so does a restore of the schema alone.
 */

/** As `database_epoch()` writes it: `system identifier/timeline/start in microseconds since 1970/file of the marks`. */
export type Epoch = string

/**
 * True if `a` began after `b`: a greater timeline of the same system, or else a later start. Clocks of machines may differ, so this
 * order only keeps an older primary from disturbing a newer one. What is lost is found by the marks alone.
 */
export function isLater(a: Epoch, b: Epoch): boolean {
  const [first, second] = [partsOf(a), partsOf(b)]
  if (first.system === second.system && first.timeline !== second.timeline) return first.timeline > second.timeline
  return first.started > second.started
}

function partsOf(epoch: Epoch) {
  const [system, timeline, started] = epoch.split('/')
  return { system, timeline: Number(timeline), started: Number(started) }
}
