/** Sends every hostile value to every place of a request of every operation; `npm test` sends a few. */
process.env.LONG_FORMS = 'yes';
await import('./hostile-paths.test.ts');
await import('./hostile-bodies.test.ts');
