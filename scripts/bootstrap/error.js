/** Something the user has to put right; the message says it, and is all that is shown. */
export class BootstrapError extends Error {}
