/**
 * Refreshes the page that runs it: requests the same address every few seconds while the page is visible, and changes
 * the different parts in place.
 *
 * Invariant: the focused element stays in place, an unfolded part stays unfolded, and a form is never changed. A page
 * that cannot be refreshed says so, and since when.
 */

const everyMs = 5_000
const slowestMs = 60_000
const patienceMs = 10_000
/** The statuses after which a later request may succeed. */
const passing = new Set([429, 500, 502, 503, 504])

const main = document.getElementById('main')
const line = document.getElementById('fresh')
const state = { paused: false, over: false, failures: 0, updatedMs: Date.now(), timer: undefined }

const pause = document.createElement('button')
pause.type = 'button'
pause.className = 'quiet'
pause.textContent = 'Pause updates'
const note = document.createElement('span')
note.className = 'late'
note.setAttribute('role', 'status')
line.append(' ', pause, ' ', note)

pause.addEventListener('click', () => {
  state.paused = !state.paused
  pause.textContent = state.paused ? 'Resume updates' : 'Pause updates'
  plan(0)
})
document.addEventListener('visibilitychange', () => plan(Math.max(0, state.updatedMs + everyMs - Date.now())))
plan(everyMs)

function plan(ms) {
  clearTimeout(state.timer)
  if (!state.paused && !state.over && !document.hidden) state.timer = setTimeout(refresh, ms)
}

async function refresh() {
  try {
    const answer = await fetch(location.href, {
      headers: { 'x-refresh': '1' },
      cache: 'no-store',
      redirect: 'error',
      signal: AbortSignal.timeout(patienceMs),
    })
    const text = await answer.text()
    if (state.paused) return
    if (answer.ok) show(text)
    else if (passing.has(answer.status)) wait()
    else stop(answer.status)
  } catch {
    wait()
  }
}

function show(text) {
  const fresh = new DOMParser().parseFromString(`<!doctype html><main>${text}</main>`, 'text/html')
  const time = fresh.querySelector('#fresh time')
  if (time === null) return wait()
  changeChildren(main, fresh.querySelector('main'))
  const shown = line.querySelector('time')
  shown.dateTime = time.dateTime
  shown.textContent = time.textContent
  shown.previousSibling.textContent = 'Updated '
  Object.assign(state, { failures: 0, updatedMs: Date.now() })
  say('')
  return plan(everyMs)
}

function wait() {
  state.failures += 1
  say('No answer: what stands here may be out of date. Trying again.')
  plan(Math.min(everyMs * 2 ** state.failures, slowestMs))
}

function stop(status) {
  state.over = true
  pause.remove()
  say(status === 401 ? 'Your session is over. ' : 'Updates have stopped. ')
  if (status !== 401) return
  const link = document.createElement('a')
  link.href = `/ops/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`
  link.textContent = 'Sign in again'
  note.append(link)
}

/** Screen readers announce only changes. */
function say(words) {
  if (note.textContent !== words) note.textContent = words
}

function change(node, wanted) {
  if (node.isEqualNode(wanted)) return
  if (node.nodeType !== Node.ELEMENT_NODE) {
    node.nodeValue = wanted.nodeValue
    return
  }
  if (node.matches('form, #fresh')) return
  for (const name of node.getAttributeNames())
    if (!wanted.hasAttribute(name) && !(name === 'open' && node.matches('details'))) node.removeAttribute(name)
  for (const { name, value } of wanted.attributes) if (node.getAttribute(name) !== value) node.setAttribute(name, value)
  changeChildren(node, wanted)
}

function changeChildren(parent, wanted) {
  const before = [...parent.childNodes]
  const left = new Set(before)
  const after = [...wanted.childNodes].map((node) => {
    const known = before.find((one) => left.has(one) && isSame(one, node))
    if (known === undefined) return document.importNode(node, true)
    left.delete(known)
    change(known, node)
    return known
  })
  for (const node of left) {
    if (!isKept(node)) node.remove()
    else after.splice(before.indexOf(node), 0, node)
  }
  arrange(parent, after)
}

function isSame(one, other) {
  return one.nodeName === other.nodeName && keyOf(one) === keyOf(other)
}

/** The key or id of an element, by which it is found again wherever it has moved. */
function keyOf(node) {
  return node.nodeType === Node.ELEMENT_NODE ? (node.dataset.key ?? node.id) : ''
}

/** A focused element stays until it loses the focus. So does the message about the last action. */
function isKept(node) {
  return (
    node.contains(document.activeElement) || (node.nodeType === Node.ELEMENT_NODE && node.matches('main > .notice'))
  )
}

/**
 * Puts the children into this order. A child that holds the focus is not moved, because that would lose the focus; the
 * others move around it.
 */
function arrange(parent, order) {
  const fixed = order.find((node) => node.contains(document.activeElement))
  let place = parent.firstChild
  for (const node of order) {
    if (node === fixed)
      while (place !== fixed) {
        const next = place.nextSibling
        parent.append(place)
        place = next
      }
    if (node === place) place = place.nextSibling
    else parent.insertBefore(node, place)
  }
}
