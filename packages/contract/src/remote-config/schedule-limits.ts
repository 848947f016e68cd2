/** The maximum number of parameters that a scheduled change of a config sets. */
export const MAX_SCHEDULED_PARAMETERS = 50;
