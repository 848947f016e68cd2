/** Calls every operation of the contract; `npm test` calls only one of each access and method. */
process.env.LONG_FORMS = 'yes';
await import('./route-access.test.ts');
await import('./player-access.test.ts');
await import('./foreign-ids.test.ts');
await import('./audit-trail.test.ts');
await import('./cross-site.test.ts');
