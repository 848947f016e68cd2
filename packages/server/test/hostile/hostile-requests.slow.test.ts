/** Sends every hostile value in every place of each operation's request; `npm test` sends only a few. */
process.env.LONG_FORMS = 'yes';
await import('./hostile-paths.test.ts');
await import('./hostile-bodies.test.ts');
