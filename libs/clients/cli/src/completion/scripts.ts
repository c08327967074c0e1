/** The completion of shells. A script asks the program itself: `__complete` prints a proposal on each line, and its meaning after a tab. */

export const shells = ['bash', 'zsh'] as const
export type Shell = (typeof shells)[number]

/** The hidden first word by which the scripts ask. */
export const completing = '__complete'

export const scripts: Readonly<Record<Shell, string>> = {
  bash: `# Completion of financial-agents for bash. In ~/.bashrc: eval "$(financial-agents completion bash)"
_financial_agents() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(financial-agents ${completing} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _financial_agents financial-agents
`,
  zsh: `#compdef financial-agents
# Completion of financial-agents for zsh. In ~/.zshrc, after compinit: eval "$(financial-agents completion zsh)"
_financial_agents() {
  local line name
  local -a proposals
  while IFS= read -r line; do
    name="\${line%%$'\\t'*}"
    proposals+=("\${name//:/\\\\:}:\${line#*$'\\t'}")
  done < <(financial-agents ${completing} "\${(@)words[2,CURRENT]}" 2>/dev/null)
  _describe 'financial-agents' proposals
}
compdef _financial_agents financial-agents
`,
}
