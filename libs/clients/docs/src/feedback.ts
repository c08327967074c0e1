/** The address at which readers report what is wrong: that of the client's problems, with the page as the title. */

import client from '@financial-agents/client/package.json' with { type: 'json' }

export function feedbackUrl(page: string): string {
  return `${client.bugs}/new?${new URLSearchParams({ title: `Documentation: ${page}` }).toString()}`
}
