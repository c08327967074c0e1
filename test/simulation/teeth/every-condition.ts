/**
 * `SIMULATION_CONDITIONS=all`: records more cases, and every condition of every statement must decide one. Takes
 * minutes.
 */
export const everyCondition = process.env.SIMULATION_CONDITIONS === 'all'
