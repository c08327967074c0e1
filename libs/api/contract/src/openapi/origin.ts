/** The parts of the document that depend on its origin. */

/** The placeholder origin of the committed documents. */
export const placeholderBaseUrl = 'https://api.financial-agents.example'

/** The name of the session's cookie. Browsers refuse the prefix without https, which only development lacks. */
export const sessionCookie = (baseUrl: string) => (baseUrl.startsWith('https:') ? '__Host-session' : 'session')
