/**
 * Named places at which a test may kill the process, to prove that nothing is lost there. Unless a process arms one, a
 * failpoint does nothing. In production a service with the variable FAILPOINT does not start, and a command
 * ignores it.
 */

const armed = { name: '', remaining: 0 }

/** Arms the failpoint that the variable FAILPOINT names: `name[:nth]`, with `<step>.<before|after>_<what>` as name. */
export function armFailpoint(variable: string | undefined): void {
  const [name = '', nth = '1'] = (variable ?? '').split(':')
  Object.assign(armed, { name, remaining: Number(nth) })
}

/** Kills this process with SIGKILL if this place is armed, at the nth passage. */
export function failpoint(name: string): void {
  if (name !== armed.name) return
  armed.remaining -= 1
  if (armed.remaining === 0) process.kill(process.pid, 'SIGKILL')
}

export function failpointIsSet(): boolean {
  return armed.name !== ''
}
