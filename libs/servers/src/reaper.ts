// Kills the process groups of our children when this process dies without a chance to do it: by SIGKILL or by a crash. A shell
// of its own session reads their ids from a pipe that this process alone writes to. The kernel closes the pipe when this process
// ends, and the shell then kills the groups that are left.

import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'

// `+ 12` adds a group, `- 12` removes it. Signals of a terminal are for the process that the shell outlives.
const SCRIPT = `trap '' HUP INT TERM
groups=' '
while read -r change group; do
  case $change in
    +) groups="$groups$group " ;;
    -) groups="\${groups%% $group *} \${groups#* $group }" ;;
  esac
done
for group in $groups; do kill -9 "-$group" 2>/dev/null; done`

let shell: ChildProcess | undefined

function tell(line: string): void {
  if (shell === undefined) {
    shell = spawn('/bin/sh', ['-c', SCRIPT], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
    // Without a shell the children still end with an orderly exit of this process.
    shell.on('error', () => {})
    shell.stdin?.on('error', () => {})
    shell.unref()
    ;(shell.stdin as Socket | null)?.unref()
  }
  shell.stdin?.write(`${line}\n`)
}

/** From now on this process group is killed when this process ends, in whatever way. */
export function reapGroup(group: number): void {
  tell(`+ ${group}`)
}

/** The group has ended: its id may soon be another's. */
export function forgetGroup(group: number): void {
  tell(`- ${group}`)
}
