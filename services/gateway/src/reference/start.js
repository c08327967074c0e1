// Starts the reference page. The page shows this origin's document without a way to send requests, because a proof
// needs a client's key.

// The script runs in a browser, without the types of the library.
/* oxlint-disable typescript/no-unsafe-call, typescript/no-unsafe-return, typescript/no-unsafe-member-access, typescript/no-unsafe-assignment */

/**
 * A link inside an operation's button is not accessible, so only its name is shown. The page's address still follows.
 */
const plainNames = ({ React }) => ({ components: { DeepLink: ({ text }) => React.createElement('span', null, text) } })

/** The page sends no requests, so it has no authorization. */
const nothing = () => null
const noAuthorization = { components: { AuthorizeBtnContainer: nothing, authorizeOperationBtn: nothing } }

/** Adds names and keyboard access that the library leaves out. */
new MutationObserver(() => {
  for (const select of document.querySelectorAll('.swagger-ui select:not([aria-label], [id])'))
    select.setAttribute('aria-label', select.classList.contains('examples-select-element') ? 'Example' : 'Media type')
  for (const text of document.querySelectorAll('.swagger-ui pre:not([tabindex])')) text.setAttribute('tabindex', '0')
}).observe(document.body, { childList: true, subtree: true })

globalThis.SwaggerUIBundle({
  url: '/v1/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: false,
  supportedSubmitMethods: [],
  syntaxHighlight: { activated: false },
  validatorUrl: null,
  plugins: [plainNames, noAuthorization],
})
