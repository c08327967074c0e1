/** Addresses of the logs, the traces and the runbooks, from the templates of the configuration. */

export type OutsideLinks = {
  /** The logs about an id; null if none are configured. */
  logs: (of: { id: string }) => string | null
  trace: (of: { id: string }) => string | null
  /** A page of the runbooks, by the name of its alert. */
  runbook: (name: string) => string | null
}

export type LinkTemplates = {
  LOG_URL_TEMPLATE?: string | undefined
  TRACE_URL_TEMPLATE?: string | undefined
  RUNBOOK_BASE_URL?: string | undefined
}

export function outsideLinks(config: LinkTemplates): OutsideLinks {
  const fill = (template: string | undefined) => (of: { id: string }) =>
    template === undefined ? null : template.replaceAll('{id}', encodeURIComponent(of.id))
  return {
    logs: fill(config.LOG_URL_TEMPLATE),
    trace: fill(config.TRACE_URL_TEMPLATE),
    runbook: (name) =>
      config.RUNBOOK_BASE_URL === undefined ? null : `${config.RUNBOOK_BASE_URL.replace(/\/$/, '')}/${name}.md`,
  }
}
