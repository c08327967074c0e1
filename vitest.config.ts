import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          globalSetup: ['libs/testkit/src/global-setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          include: ['libs/**/*.test.ts', 'services/**/*.test.ts', 'test/architecture/**/*.test.ts'],
        },
      },
    ],
  },
})
