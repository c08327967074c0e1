/** As much of a browser as a sign-in needs: cookies, redirects followed by hand, one form. */

import { CookieJar } from 'tough-cookie'

export type Browser = {
  /** One request, without following what it answers. */
  open: (address: string | URL, form?: Record<string, string>) => Promise<Response>
  /** Goes where it is sent until a page shows, or until it would leave for `end`. */
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
