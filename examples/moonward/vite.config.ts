import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  // Uses the SDK's sources in this repository instead of the published package.
  resolve: { conditions: ['@overworld/source', 'module', 'browser', 'production'] },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    emptyOutDir: true,
    // Otherwise Vite may warn about a slow machine between the lines of `npm run example`.
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
  logLevel: 'warn',
});
