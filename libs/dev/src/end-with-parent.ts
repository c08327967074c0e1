/**
 * A command ends together with the shell in which pnpm runs it. If only pnpm or its shell is killed, the command gets no
 * signal: it would go on, with all its servers, and nobody would know.
 */

const lookPauseMs = 500

/** Sends SIGTERM to this process once its parent process has ended. */
export function endWithParent(): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, lookPauseMs)
  timer.unref()
}
