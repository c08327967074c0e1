// Kills the process groups of our children when this process dies from SIGKILL or a crash and cannot do it itself. A
// shell in a session of its own reads their ids from a pipe that only this process writes to. The kernel closes the
// pipe when this process ends. The shell then kills the remaining groups.

import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'

// `+ 12` adds a group, `- 12` removes it. The shell ignores a terminal's signals, because it must outlive this process.
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
    // Without a shell the children are still killed when this process exits by itself.
    shell.on('error', () => {})
    shell.stdin?.on('error', () => {})
    shell.unref()
    ;(shell.stdin as Socket | null)?.unref()
  }
  shell.stdin?.write(`${line}\n`)
}

/** Registers a process group, to be killed when this process ends in any way. */
export function reapGroup(group: number): void {
  tell(`+ ${group}`)
}

/** Removes a process group that has ended. Its id may soon belong to another process. */
export function forgetGroup(group: number): void {
  tell(`- ${group}`)
}
