import type { Gate } from './gate.ts';
import type { TestServer } from './harness.ts';
import { waitUntil } from './wait-until.ts';

/**
 * Sends requests so that the server stores all of them in one batch: a request before them waits at the gate
 * in its transaction until all others wait for their batch.
 * @param gate at a table that the first request changes
 * @param batcher its name in the metrics
 * @param sendFirst sends a request of the same batcher
 * @param send sends the requests of the batch; each of them must reach the batcher
 * @param whenQueued is called before the gate opens
 */
export async function sendAsBatch<Answer>(
  server: TestServer,
  gate: Gate,
  batcher: string,
  sendFirst: () => Promise<unknown>,
  send: () => Promise<Answer>[],
  whenQueued?: () => Promise<void>,
): Promise<Promise<Answer>[]> {
  return gate.close(async () => {
    // An answer that nobody awaits yet must not end the process if it fails.
    const first = sendFirst();
    first.catch(() => {});
    await gate.waitForChange();
    const answers = send();
    for (const answer of answers) answer.catch(() => {});
    await waitUntil(`${answers.length} requests wait for their batch`, async () => {
      const { text } = await server.request('GET', '/metrics');
      return text.includes(`overworld_queue_length{batcher="${batcher}"} ${answers.length}\n`);
    });
    await whenQueued?.();
    return answers;
  });
}
