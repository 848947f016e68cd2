/** What is held to circle a lamp, by what this device has. */
export const HOLD = matchMedia('(pointer: coarse)').matches ? 'a finger' : 'Space';
