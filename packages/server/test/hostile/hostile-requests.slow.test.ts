/** Sends every hostile value to every place of a request, where `npm test` sends a few to each. */
process.env.ALL_HOSTILE_VALUES = 'yes';
await import('./hostile-paths.test.ts');
await import('./hostile-bodies.test.ts');
