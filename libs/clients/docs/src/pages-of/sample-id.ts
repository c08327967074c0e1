/** The identifier that stands in every sample. */
export const sampleId = '01980000-0000-7000-8000-000000000001'
