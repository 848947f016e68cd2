/** True if a finger plays the game on this device. */
const isTouch = matchMedia('(pointer: coarse)').matches;

/** The key or finger that is held to circle a lamp, for this device. */
export const HOLD = isTouch ? 'a finger' : 'Space';

/** All controls, in one or two sentences. */
export const CONTROLS = isTouch
  ? 'Hold a finger anywhere to circle a lamp, lift it to fly.'
  : 'Hold Space to circle a lamp, let go to fly. P pauses, M mutes.';
