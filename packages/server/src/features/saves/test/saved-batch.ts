import { sendAsBatch } from '../../../../test/one-batch.ts';
import { makeGate } from '../../../../test/gate.ts';
import type { TestGame, TestServer } from '../../../../test/harness.ts';
import type { TestAnswer } from '../../../../test/test-request.ts';
import { sql } from '../../../platform/database/sql.ts';

let others = 0;

/** Returns a function that sends requests about saves so that the server stores all of them in one batch. */
export async function makeSaveBatches(server: TestServer, { production_key: key }: TestGame) {
  const gate = await makeGate(server.database, sql`saves`);
  return (send: () => Promise<TestAnswer>[], whenQueued?: () => Promise<void>) => {
    const body = { player_id: `held-${++others}`, data: {} };
    const sendFirst = () => server.request('PUT', '/v1/saves', { key, body });
    return sendAsBatch(server, gate, 'saves', sendFirst, send, whenQueued);
  };
}
