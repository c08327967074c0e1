/** The note that a failed set-up leaves in its folder, so that no test waits for results that will not come. */
export const failedNote = 'failed.json'
