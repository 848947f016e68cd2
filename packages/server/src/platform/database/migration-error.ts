/** This release cannot serve the database. The message is one sentence for the user. */
export class MigrationError extends Error {}
