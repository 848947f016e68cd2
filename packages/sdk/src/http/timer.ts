import { platform } from './platform.ts';
import type { Timer } from './platform.ts';

/** Makes a timer that runs a function when its last `start` is over. It does not keep a Node process alive. */
export const createTimer = (run: () => void) => {
  let timer: Timer | undefined;
  const stop = () => {
    platform.clearTimeout(timer);
    timer = undefined;
  };
  return {
    isSet: () => !!timer,
    stop,
    start: (delay_ms: number) => {
      stop();
      timer = platform.setTimeout(() => {
        timer = undefined;
        run();
      }, delay_ms);
      timer.unref?.();
    },
  };
};
