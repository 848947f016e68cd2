import { runAfter } from '../queue/fair-queue.ts';
import type { FairQueue, OwnerPath, Release } from '../queue/fair-queue.ts';
import type { WorkerPool } from './worker-pool.ts';

/**
 * Makes one queue serve all workers. The first worker holds the queue, and the other
 * workers ask that worker for their turns. When a worker dies, its turns are given back.
 * @param name The name of the queue. Each queue must have a different name.
 * @param queue This worker's own queue; only the first worker uses it.
 */
export function shareQueue(workerPool: WorkerPool, name: string, queue: FairQueue): FairQueue {
  const { peers, is_first, workers } = workerPool;
  if (workers === 1) return queue;
  const take = is_first ? queue.take : takeThere;
  let last_turn = 0;

  async function takeThere(owner: OwnerPath, signal?: AbortSignal): Promise<Release> {
    const turn = ++last_turn;
    await peers.call(0, `${name}: take`, { owner, turn }, signal);
    return () => peers.tell(0, `${name}: give`, turn);
  }

  if (is_first) {
    const taken = new Map<string, Release>();
    const give = (name_of_turn: string) => {
      taken.get(name_of_turn)?.();
      taken.delete(name_of_turn);
    };
    peers.serve<{ owner: OwnerPath; turn: number }>(
      `${name}: take`,
      async ({ owner, turn }, { worker, signal }) => {
        const release = await queue.take(owner, signal);
        if (signal.aborted) release();
        else taken.set(`${worker}:${turn}`, release);
      },
    );
    peers.serve<number>(`${name}: give`, async (turn, { worker }) => give(`${worker}:${turn}`));
    peers.onDeath((worker) => {
      for (const key of taken.keys()) if (key.startsWith(`${worker}:`)) give(key);
    });
  }

  return { take, run: runAfter(take) };
}
