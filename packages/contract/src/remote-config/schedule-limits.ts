/** Parameters of a scheduled change of a config. */
export const MAX_SCHEDULED_PARAMETERS = 50;
