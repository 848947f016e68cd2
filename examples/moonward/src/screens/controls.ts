/** True if this device is played with a finger. */
const isTouch = matchMedia('(pointer: coarse)').matches;

/** The key or finger that the player holds down to circle a lamp on this device. */
export const HOLD = isTouch ? 'a finger' : 'Space';

/** All controls, in one or two sentences. */
export const CONTROLS = isTouch
  ? 'Hold a finger anywhere to circle a lamp, lift it to fly.'
  : 'Hold Space to circle a lamp, let go to fly. P pauses, M mutes.';
