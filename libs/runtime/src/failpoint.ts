/**
 * Named places at which a test may kill the process, to prove that nothing is lost there. Without the variable
 * FAILPOINT, a failpoint does nothing. In production a process with this variable does not start.
 */

const [target, count = '1'] = (process.env.FAILPOINT ?? '').split(':')
let remaining = Number(count)

/**
 * Kills this process with SIGKILL if FAILPOINT=name[:nth] names this place. `name` is `<step>.<before|after>_<what>`.
 */
export function failpoint(name: string): void {
  if (name !== target) return
  remaining -= 1
  if (remaining === 0) process.kill(process.pid, 'SIGKILL')
}

/** True if a failpoint is set. A production process then refuses to start. */
export function failpointIsSet(): boolean {
  return target !== ''
}
