/** The error for a wrong setting. Its message is one sentence for the user and names the setting. */
export class ConfigError extends Error {}
