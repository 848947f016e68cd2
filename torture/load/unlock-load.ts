import { sql } from '../../packages/server/src/platform/database/sql.ts';
import type { Random } from '../random.ts';
import type { Step, Workload } from './workload.ts';

interface Unlock {
  /** The number of callers that were told that they were the first. */
  firsts: number;
  /** The number of callers that got an answer. */
  answered: number;
  unknown: number;
}

/** The number of requests for each unlock. Several clients send them at about the same time. */
const ASKED_FOR_EACH = 3;

/** Sends unlocks. Exactly one of the requests for an unlock may be told that it was the first. */
export function createUnlockLoad(random: Random): Workload {
  const unlocks = new Map<string, Unlock>();
  let asked = 0;
  return {
    name: 'unlocks',
    next(): Step {
      const number = Math.floor(asked++ / ASKED_FOR_EACH);
      // Sometimes the client repeats an old unlock.
      const chosen = random.below(10) === 0 ? random.below(number + 1) : number;
      const player_id = `u-${Math.floor(chosen / 10)}`;
      const achievement_key = `a${1 + (chosen % 10)}`;
      const name = `${player_id} ${achievement_key}`;
      const unlock = unlocks.get(name) ?? { firsts: 0, answered: 0, unknown: 0 };
      unlocks.set(name, unlock);
      return {
        request: {
          method: 'POST',
          path: '/v1/achievements/unlock',
          body: JSON.stringify({ player_id, achievement_key }),
        },
        onOutcome(answer) {
          if (answer === null) {
            unlock.unknown += 1;
            return null;
          }
          unlock.answered += 1;
          const { already_unlocked } = JSON.parse(answer.body) as { already_unlocked: boolean };
          if (!already_unlocked) unlock.firsts += 1;
          return unlock.firsts > 1 ? `${name} was unlocked ${unlock.firsts} times` : null;
        },
      };
    },
    async check({ database, game_id }) {
      const rows = await database.query<{ name: string }>(sql`
        SELECT player_id || ' ' || achievement_key AS name FROM achievement_unlocks
        WHERE game_id = ${game_id} AND player_id LIKE 'u-%'`);
      const stored = new Set(rows.map(({ name }) => name));
      const problems: string[] = [];
      for (const [name, unlock] of unlocks) {
        const { firsts, answered, unknown } = unlock;
        const is_stored = stored.delete(name);
        if (answered > 0 && !is_stored) problems.push(`the unlock ${name} is lost`);
        if (answered > 0 && firsts === 0 && unknown === 0) {
          problems.push(`nobody was told to be the first to unlock ${name}`);
        }
        // A stored unlock has had its first caller, even if the answer to this caller was lost.
        unlocks.set(name, { firsts: is_stored ? 1 : 0, answered, unknown: 0 });
      }
      for (const name of stored) problems.push(`nobody asked for the unlock ${name}`);
      return problems;
    },
  };
}
