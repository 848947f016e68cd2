/** Width of the world in units; it has no end upwards. */
export const WORLD_WIDTH = 400;
/** Heights are shown in metres. */
export const UNITS_PER_METRE = 10;
/** Length of a step of the world, in seconds; drawing is between steps. */
export const STEP_S = 1 / 120;
