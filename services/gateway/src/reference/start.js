// Starts the reference page: the document of this origin, shown and not tried out, since a proof needs the key of a client.

// It runs in a browser, where nothing says the types of the library.
/* oxlint-disable typescript/no-unsafe-call, typescript/no-unsafe-return, typescript/no-unsafe-member-access, typescript/no-unsafe-assignment */

/** A link inside the button of an operation cannot be reached: its name alone stands there. The address follows all the same. */
const plainNames = ({ React }) => ({ components: { DeepLink: ({ text }) => React.createElement('span', null, text) } })

/** Nothing is sent from here, so nothing is authorised here. */
const nothing = () => null
const noAuthorization = { components: { AuthorizeBtnContainer: nothing, authorizeOperationBtn: nothing } }

/** What the library leaves without a name, or out of reach of the keyboard. */
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
