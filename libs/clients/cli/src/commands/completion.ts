/** `completion`: prints the script of a shell. */

import { buildCommand, buildRouteMap } from '@stricli/core'
import { type Shell, scripts } from '../completion/scripts.ts'
import type { CliContext } from '../context.ts'

const of = (shell: Shell, file: string) =>
  buildCommand({
    docs: {
      brief: `Print the completion for ${shell}`,
      fullDescription: `Put this line into ${file}:  eval "$(financial-agents completion ${shell})"`,
    },
    parameters: {},
    func(this: CliContext) {
      this.process.stdout.write(scripts[shell])
    },
  })

export const completion = buildRouteMap({
  routes: { bash: of('bash', '~/.bashrc'), zsh: of('zsh', '~/.zshrc, after compinit') },
  docs: { brief: 'Completion for bash and zsh' },
})
