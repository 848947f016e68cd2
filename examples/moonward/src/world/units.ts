/** Width of the world in units; upwards the world has no end. */
export const WORLD_WIDTH = 400;
/** Heights are shown in metres. */
export const UNITS_PER_METRE = 10;
/** Length of a step of the world, in seconds; pictures are drawn between steps. */
export const STEP_S = 1 / 120;
