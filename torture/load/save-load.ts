import { KEPT_SAVE_VERSIONS } from '@overworld/contract/saves/limits';
import { sql } from '../../packages/server/src/platform/database/sql.ts';
import type { Random } from '../random.ts';
import type { Answer, HttpRequest } from './connection.ts';
import { compareStates } from './player-load.ts';
import { createPlayers } from './workload.ts';
import type { Known, Step, Workload } from './workload.ts';

interface Save {
  /** 0 before the first save. Versions continue after a deletion. */
  version: number;
  /** The number that the data holds; null without a save. */
  n: number | null;
}

const NONE: Save = { version: 0, n: null };
const PLAYERS_OF_A_CLIENT = 8;

/** Sends saves with version locking, and sometimes a deletion. */
export function createSaveLoad(random: Random): Workload {
  const players = createPlayers('s', PLAYERS_OF_A_CLIENT);
  const known = new Map<string, Known<Save>>();
  /** The acknowledged versions of each player. */
  const versions = new Map<string, Map<number, number>>();
  let serial = 0;

  const put = (player_id: string, before: Save): { request: HttpRequest; after: Save } => {
    const n = ++serial;
    const bag = 'x'.repeat(random.below(20) === 0 ? 20_000 : random.below(1_000));
    const version = before.n !== null && random.below(4) > 0 ? { version: before.version } : {};
    const body = JSON.stringify({ player_id, data: { n, bag }, ...version });
    return {
      request: { method: 'PUT', path: '/v1/saves', body },
      after: { version: before.version + 1, n },
    };
  };
  const remove = (player_id: string, before: Save) => ({
    request: { method: 'DELETE', path: `/v1/saves?player_id=${player_id}` },
    after: { version: before.version, n: null },
  });

  const explain = (answer: Answer, player_id: string, after: Save): string | null => {
    if (after.n === null) return null;
    const { version } = JSON.parse(answer.body) as { version: number };
    const acknowledged = versions.get(player_id) ?? new Map<number, number>();
    versions.set(player_id, acknowledged.set(version, after.n));
    return version === after.version
      ? null
      : `the save of ${player_id} has version ${version} after ${after.version - 1}`;
  };

  return {
    name: 'saves',
    next(client): Step {
      const place = random.below(PLAYERS_OF_A_CLIENT);
      const player_id = players.choose(client, place, (name) => !known.get(name)?.maybe);
      const before = known.get(player_id)?.certain ?? NONE;
      const deletes = before.n !== null && random.below(12) === 0;
      const { request, after } = (deletes ? remove : put)(player_id, before);
      return {
        request,
        onOutcome(answer) {
          if (answer === null) {
            known.set(player_id, { certain: before, maybe: { state: after } });
            return null;
          }
          known.set(player_id, { certain: after });
          return explain(answer, player_id, after);
        },
      };
    },
    async check({ database, game_id }) {
      const rows = await database.query<{
        player_id: string;
        version: number;
        deleted: boolean;
        kept: string;
      }>(sql`
        SELECT player_id, saves.version, deleted_at IS NOT NULL AS deleted,
               json_object_agg(kept.version, kept.data::json -> 'n')::text AS kept
        FROM saves JOIN save_versions AS kept USING (game_id, environment, player_id)
        WHERE game_id = ${game_id} GROUP BY player_id, saves.version, deleted_at`);
      const stored = new Map<string, Save>();
      const problems: string[] = [];
      for (const { player_id, version, deleted, kept } of rows) {
        const numbers = JSON.parse(kept) as Record<string, number>;
        stored.set(player_id, { version, n: deleted ? null : (numbers[version] ?? -1) });
        const acknowledged = versions.get(player_id) ?? new Map<number, number>();
        for (const [number, n] of acknowledged) {
          if (number <= version - KEPT_SAVE_VERSIONS) acknowledged.delete(number);
          else if (numbers[number] !== n) {
            problems.push(`version ${number} of ${player_id} is ${numbers[number]}, and not ${n}`);
          }
        }
      }
      const read = (player_id: string) => stored.get(player_id) ?? NONE;
      const equal = (one: Save, other: Save) => one.version === other.version && one.n === other.n;
      return [...problems, ...compareStates(known, read, equal)];
    },
  };
}
