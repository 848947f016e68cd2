import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeDevice, startServer } from './device.ts';
import { engines } from './engines.ts';
import type { Exchange } from './transcript.ts';
import { bundledTypescript } from './typescript-bundle.ts';

const MAX_ROUNDS = 8;

const put = (version: number, data: object, answer: Exchange['answer']): Exchange => ({
  request: { method: 'PUT', path: '/v1/saves', body: { player_id: 'p-1', version, data } },
  answer,
});
const store = (version: number) => ({
  status: 200,
  body: { success: true, version, updated_at: '2026-03-01T18:24:05.120Z' },
});
const refuse = (server_version: number, server_data: object) => ({
  status: 409,
  body: {
    error: 'Version conflict',
    server_version,
    server_data,
    updated_at: '2026-03-01T18:25:05.120Z',
  },
});
const none = { status: 404, body: { error: 'No save found' } };
const expired = { status: 401, body: { error: 'API key has expired' } };

describe('conflicts of saves', { concurrency: true }, () => {
  for (const engine of [bundledTypescript, ...engines]) {
    const { name, skip } = engine;

    test(
      `${name}: a save that is made while the previous save is being merged is merged too`,
      { skip },
      async (t) => {
        const server = await startServer(t);
        const { start } = await makeDevice(t, engine, server.url);
        const game = await start();
        server.expect([
          put(0, { mine: 1 }, refuse(1, { theirs: 1 })),
          put(1, { theirs: 1, mine: 1 }, store(2)),
          put(0, { also: 1 }, refuse(2, { theirs: 1, mine: 1 })),
          put(2, { theirs: 1, mine: 1, also: 1 }, store(3)),
        ]);
        const [, last] = await Promise.all(
          [{ mine: 1 }, { also: 1 }].map((data) =>
            game.call('saves.save', { text: JSON.stringify(data), policy: 'per-field' }),
          ),
        );
        server.verify();
        assert.deepEqual([last.version, last.was_conflict], [3, true]);
      },
    );

    for (const [case_name, theirs] of [
      ['another save', { theirs: 1 }],
      ['an earlier save of the game', { mine: 1 }],
    ] as const) {
      test(
        `${name}: a save that meets ${case_name} in every round ends as a conflict, after growing pauses`,
        { skip },
        async (t) => {
          const server = await startServer(t);
          const { start } = await makeDevice(t, engine, server.url);
          const game = await start();
          const save = (data: object) =>
            game.call('saves.save', { text: JSON.stringify(data), policy: 'ours' });
          server.expect([
            { request: { method: 'GET', path: '/v1/saves?player_id=p-1' }, answer: none },
            put(0, { mine: 1 }, expired),
          ]);
          await game.call('saves.load');
          await assert.rejects(save({ mine: 1 }), { code: 'unauthorized' });

          const arrivals: number[] = [];
          const rounds = Array.from({ length: MAX_ROUNDS }, (_, version) => ({
            ...put(version, { mine: 2 }, refuse(version + 1, theirs)),
            meanwhile: async () => void arrivals.push(performance.now()),
          }));
          server.expect(rounds);
          await assert.rejects(save({ mine: 2 }), { code: 'conflict', status: 409 });
          server.verify();
          const waits = arrivals.slice(1).map((at, index) => at - arrivals[index]!);
          // The last pause takes at least 250 ms. The least length of each earlier pause is half that of the
          // next one. A timer may end up to 5 ms early.
          for (const [index, wait_ms] of waits.entries()) {
            assert.ok(wait_ms > 500 / 2 ** (waits.length - index) - 5, `${waits}`);
          }
          assert.equal(await game.call('queued_calls'), 0);
        },
      );
    }
  }
});
