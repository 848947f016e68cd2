import { setTimeout as sleep } from 'node:timers/promises';
import { KEPT_CONFIG_VERSIONS } from '@overworld/contract/remote-config/dashboard';
import { sql } from '../../packages/server/src/platform/database/sql.ts';
import type { Scene, Step, Workload } from './workload.ts';

/** A server must notice a new version within this time. */
const NOTICE_PATIENCE_MS = 10_000;

interface StoredConfig {
  version: number;
  n: number;
}

/**
 * Stores configs of a game, several at a time. Each config becomes a new version.
 * @param token The token of an account that may change the game.
 */
export function createConfigLoad(game_id: string, token: string): Workload {
  /** For each acknowledged version of the config: the number `n` that the config contains. */
  const acknowledged = new Map<number, number>();
  const unknown = new Set<number>();
  let serial = 0;
  return {
    name: 'configs',
    next(): Step {
      const n = ++serial;
      return {
        request: {
          method: 'PUT',
          path: `/v1/games/${game_id}/config?environment=production`,
          body: JSON.stringify({ parameters: { n: { value: n } } }),
          headers: { authorization: `Bearer ${token}` },
        },
        onOutcome(answer) {
          if (answer === null) {
            unknown.add(n);
            return null;
          }
          const { version } = JSON.parse(answer.body) as { version: number };
          const before = acknowledged.get(version);
          acknowledged.set(version, n);
          return before === undefined ? null : `version ${version} is of ${before} and of ${n}`;
        },
      };
    },
    async check(scene) {
      const stored = await scene.database.query<StoredConfig>(sql`
        SELECT version, (parameters::json -> 'n' ->> 'value')::integer AS n
        FROM config_versions WHERE game_id = ${game_id} ORDER BY version`);
      const problems = stored.flatMap(({ version, n }) => {
        const expected = acknowledged.get(version);
        acknowledged.delete(version);
        if (expected === n || (expected === undefined && unknown.delete(n))) return [];
        return [`version ${version} is ${n}, and not ${expected ?? 'unknown'}`];
      });
      const newest = stored.at(-1)?.version ?? 0;
      for (const version of acknowledged.keys()) {
        if (version > newest - KEPT_CONFIG_VERSIONS) problems.push(`version ${version} is lost`);
      }
      const gaps = stored.filter(({ version }, place) => version !== stored[0]!.version + place);
      if (gaps.length > 0) problems.push(`before version ${gaps[0]!.version} one is missing`);
      for (const { version, n } of stored) acknowledged.set(version, n);
      unknown.clear();
      if (!(await isServed(scene, newest))) problems.push(`version ${newest} is not served`);
      return problems;
    },
  };
}

async function isServed({ get }: Scene, version: number): Promise<boolean> {
  const deadline = performance.now() + NOTICE_PATIENCE_MS;
  while ((await get('/v1/config')).version !== version) {
    if (performance.now() > deadline) return false;
    await sleep(50);
  }
  return true;
}
