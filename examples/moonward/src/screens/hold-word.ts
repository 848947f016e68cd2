/** The key or finger that is held to circle a lamp, for this device. */
export const HOLD = matchMedia('(pointer: coarse)').matches ? 'a finger' : 'Space';
