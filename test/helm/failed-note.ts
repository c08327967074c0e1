/** What the set-up leaves in its folder where it failed, so that nobody waits for what will not come. */
export const failedNote = 'failed.json'
