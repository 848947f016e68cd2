import assert from 'node:assert/strict';
import type { TestServer } from '../../../../../test/harness.ts';
import { waitUntil } from '../../../../../test/wait-until.ts';
import { makeStatStudio } from '../../test/stat-studio.ts';

const HOUR_MS = 3_600_000;

/** The beginning of the hour that began so many hours before the present one. */
export const hourBefore = (hours: number): string =>
  new Date((Math.floor(Date.now() / HOUR_MS) - hours) * HOUR_MS).toISOString();

/** Makes a game whose members take back changes of statistics. The bad changes are five hours old. */
export async function makeStatRestorationGame(
  server: TestServer,
  stats: Readonly<Record<string, string | object>> = { coins: 'sum' },
) {
  const studio = await makeStatStudio(server, stats);
  const { steer, change } = studio;
  const question = {
    stats: Object.keys(stats),
    changed_from: hourBefore(6),
    changed_until: hourBefore(3),
  };
  const get = async (id: string) => {
    const { status, body } = await steer('GET', `/stat-restorations/${id}`);
    assert.equal(status, 200);
    return body;
  };
  const waitFor = async (id: string, state: string) => {
    await waitUntil(`the restoration is ${state}`, async () => (await get(id)).state === state);
    return get(id);
  };
  const start = async (
    restoration: { restoration_id: string; value_count: number },
    out_of_bounds = 'skip',
  ) => {
    const { restoration_id: id, value_count } = restoration;
    const path = `/stat-restorations/${id}/start`;
    const { status, text } = await steer('POST', path, { out_of_bounds, value_count });
    assert.equal(status, 200, text);
  };
  return {
    ...studio,
    question,
    get,
    waitFor,
    start,
    /** Makes changes before the bad hours, in them and after them. */
    async play(
      player_id: string,
      ...[before, bad, since]: (Readonly<Record<string, number>> | null)[]
    ) {
      const make = async (changes: Readonly<Record<string, number>> | null | undefined) => {
        if (!changes) return;
        const { status, text } = await change(player_id, changes);
        assert.equal(status, 200, text);
      };
      await make(before);
      // No row moves to the hour of another one.
      await studio.makeOlder(4, player_id);
      await make(bad);
      await studio.makeOlder(5, player_id);
      await make(since);
    },
    /** Looks for the changes of the bad hours. */
    async count(asked: object = question) {
      const { status, body, text } = await steer('POST', '/stat-restorations', asked);
      assert.equal(status, 201, text);
      return waitFor(body.restoration_id, 'ready');
    },
    act: (restoration: { restoration_id: string }, action: string) =>
      steer('POST', `/stat-restorations/${restoration.restoration_id}/${action}`),
  };
}
