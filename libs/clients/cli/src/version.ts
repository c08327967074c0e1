/** The version of this command line. */

import manifest from '../package.json' with { type: 'json' }

export const { version } = manifest
