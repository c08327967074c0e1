/**
 * Named places at which a test may kill the process, to prove that nothing is lost there. Without FAILPOINT in the
 * environment a failpoint does nothing; in production the variable is refused at the start.
 */

const [target, count = '1'] = (process.env.FAILPOINT ?? '').split(':')
let remaining = Number(count)

/** Kills this process with SIGKILL when the environment says FAILPOINT=name[:nth]. `name` is `<step>.<before|after>_<what>`. */
export function failpoint(name: string): void {
  if (name !== target) return
  remaining -= 1
  if (remaining === 0) process.kill(process.pid, 'SIGKILL')
}

/** True when a failpoint is set; the start of a production process refuses it. */
export function failpointIsSet(): boolean {
  return target !== ''
}
