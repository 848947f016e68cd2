/** A problem that the user has to fix; only its message is shown. */
export class BootstrapError extends Error {}
