import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['libs/**/*.test.ts', 'services/**/*.test.ts', 'test/architecture/**/*.test.ts'],
        },
      },
    ],
  },
})
