/** `SIMULATION_CONDITIONS=all`: more cases, and every condition of every statement has to decide one. Takes minutes. */
export const everyCondition = process.env.SIMULATION_CONDITIONS === 'all'
