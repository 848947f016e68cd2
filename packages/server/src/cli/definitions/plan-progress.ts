import { showProgress } from '../progress.ts';
import type { Progress } from '../progress.ts';
import type { RemoteProgress } from './remote.ts';

/** Most plans are ready sooner, and show no progress. */
const SHOWN_AFTER_MS = 1_500;

/** Shows on standard error how far the server has counted what a plan does, if that takes a while. */
export function showPlanProgress() {
  const started_ms = performance.now();
  let shown: Progress | undefined;
  return {
    update({ state, share }: RemoteProgress) {
      if (performance.now() - started_ms < SHOWN_AFTER_MS) return;
      shown ??= showProgress();
      const words =
        state === 'waiting' ? 'Waiting for other reports' : 'Counting what the plan does';
      shown.update(share, words);
    },
    done() {
      shown?.done('Counted what the plan does.');
    },
  };
}
