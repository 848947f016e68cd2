import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  // The SDK as it is in this repository, not as it is published.
  resolve: { conditions: ['@overworld/source', 'module', 'browser', 'production'] },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    emptyOutDir: true,
    // Else it may warn of a slow machine, between the lines that `npm run example` says.
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
  logLevel: 'warn',
});
