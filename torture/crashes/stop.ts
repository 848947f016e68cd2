import { setTimeout as sleep } from 'node:timers/promises';
import type { Report } from '../suite.ts';
import type { Stage } from './stage.ts';

/** The time that a process manager waits for a process to end before it kills the process. */
const STOP_PATIENCE_MS = 10_000;
/**
 * A request that arrives while the server closes idle connections is not accepted. A request
 * that was sent at most this long before its connection ended may be such a request.
 */
const ON_THE_WAY_MS = 100;

/**
 * Sends SIGTERM under full load: every accepted request must be answered, and the process must end in time.
 */
export async function checkStop(report: Report, stage: Stage): Promise<void> {
  const { server, load, counts } = stage;
  load.start();
  await sleep(1_000);
  const unanswered_before = counts.unanswered_after_ms.length;
  const asked_at = performance.now();
  server.kill('SIGTERM');
  const code = await Promise.race([server.ended, sleep(STOP_PATIENCE_MS, 'late' as const)]);
  const took_ms = Math.round(performance.now() - asked_at);
  if (code !== 0) report.violation(`SIGTERM: ended with ${code} after ${took_ms} ms`);
  if (code === 'late') {
    server.kill('SIGKILL');
    await server.ended;
  }
  await load.pause();
  const unanswered = counts.unanswered_after_ms.slice(unanswered_before);
  const accepted = unanswered.filter((after_ms) => after_ms > ON_THE_WAY_MS);
  if (accepted.length > 0) {
    report.violation(
      `SIGTERM: ${accepted.length} accepted requests were not answered, the oldest after ${Math.round(Math.max(...accepted))} ms`,
    );
  }
  report.figure('end after SIGTERM under load, ms', took_ms);
  report.figure('requests cut off while on the way at SIGTERM', unanswered.length);
}
