/** The error when this release cannot serve the database. Its message is one sentence for the user. */
export class MigrationError extends Error {}
