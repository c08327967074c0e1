/** The part of a browser that a sign-in needs: cookies, redirects that the test follows, and one form. */

import { CookieJar } from 'tough-cookie'

export type Browser = {
  /** Sends one request, and follows no redirect. */
  open: (address: string | URL, form?: Record<string, string>) => Promise<Response>
  /** Follows redirects until a page is shown, or until the next redirect leads to `end`. */
  follow: (address: string | URL, end: string) => Promise<{ url: URL; page: Response | undefined }>
}

export function createBrowser(): Browser {
  const jar = new CookieJar()
  const open: Browser['open'] = async (address, form) => {
    const url = String(address)
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: await jar.getCookieString(url), accept: 'text/html' },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    })
    for (const cookie of response.headers.getSetCookie()) await jar.setCookie(cookie, url)
    return response
  }
  return {
    open,
    follow: async (address, end) => {
      let url = new URL(address)
      while (!url.href.startsWith(end)) {
        const page = await open(url)
        const location = page.headers.get('location')
        if (location === null) return { url, page }
        url = new URL(location, url)
      }
      return { url, page: undefined }
    },
  }
}
