import { sql } from '../../packages/server/src/platform/database/sql.ts';
import type { Random } from '../random.ts';
import { MESSAGE_REWARD, MESSAGE_STAT, messageId, MESSAGES } from './game.ts';
import type { Step, Workload } from './workload.ts';

interface Claim {
  /** The number of callers that were told that they were the first. */
  firsts: number;
  /** The number of callers that got an answer. */
  answered: number;
  unknown: number;
}

/** The number of requests for each claim. Several clients send them at about the same time. */
const ASKED_FOR_EACH = 3;

/**
 * Sends claims of messages that unlock an achievement and add to a statistic. Exactly one of the requests for a claim may be told that it
 * was the first, and a claim is stored with its reward or not at all.
 */
export function createClaimLoad(random: Random): Workload {
  const claims = new Map<string, Claim>();
  let asked = 0;
  return {
    name: 'claims',
    next(): Step {
      const number = Math.floor(asked++ / ASKED_FOR_EACH);
      // Sometimes the client repeats an old claim.
      const chosen = random.below(10) === 0 ? random.below(number + 1) : number;
      const player_id = `c-${Math.floor(chosen / MESSAGES)}`;
      const message_id = messageId(chosen % MESSAGES);
      const name = `${player_id} ${message_id}`;
      const claim = claims.get(name) ?? { firsts: 0, answered: 0, unknown: 0 };
      claims.set(name, claim);
      return {
        request: {
          method: 'POST',
          path: `/v1/messages/${message_id}/claim`,
          body: JSON.stringify({ player_id }),
        },
        onOutcome(answer) {
          if (answer === null) {
            claim.unknown += 1;
            return null;
          }
          claim.answered += 1;
          const { already_claimed } = JSON.parse(answer.body) as { already_claimed: boolean };
          if (!already_claimed) claim.firsts += 1;
          return claim.firsts > 1 ? `${name} was rewarded ${claim.firsts} times` : null;
        },
      };
    },
    async check({ database, game_id }) {
      const rows = await database.query<{ name: string }>(sql`
        SELECT player_id || ' ' || message_id AS name FROM message_states
        WHERE game_id = ${game_id} AND claimed_at IS NOT NULL`);
      const stored = new Set(rows.map(({ name }) => name));
      const problems: string[] = [];
      for (const [name, claim] of claims) {
        const { firsts, answered, unknown } = claim;
        const is_stored = stored.delete(name);
        if (answered > 0 && !is_stored) problems.push(`the claim ${name} is lost`);
        if (answered > 0 && firsts === 0 && unknown === 0) {
          problems.push(`nobody was told to be the first to claim ${name}`);
        }
        // A stored claim has had its first caller, even if the answer to this caller was lost.
        claims.set(name, { firsts: is_stored ? 1 : 0, answered, unknown: 0 });
      }
      for (const name of stored) problems.push(`nobody asked for the claim ${name}`);
      const torn = await database.query<{ player_id: string; is_claimed: boolean }>(sql`
        SELECT player_id, is_claimed
        FROM (SELECT DISTINCT player_id, true AS is_claimed FROM message_states
              WHERE game_id = ${game_id} AND claimed_at IS NOT NULL) AS claimed
        FULL JOIN (SELECT player_id, true AS is_rewarded FROM achievement_unlocks
                   WHERE game_id = ${game_id} AND achievement_key = ${MESSAGE_REWARD}) AS rewarded
          USING (player_id)
        WHERE is_claimed IS NULL OR is_rewarded IS NULL`);
      for (const { player_id, is_claimed } of torn) {
        problems.push(`${player_id} has ${is_claimed ? 'no reward' : 'a reward without a claim'}`);
      }
      const unequal = await database.query<{ name: string; claims: number; gifts: number }>(sql`
        SELECT player_id AS name, coalesce(claims, 0) AS claims, coalesce(gifts, 0) AS gifts
        FROM (SELECT player_id, count(*) AS claims FROM message_states
              WHERE game_id = ${game_id} AND claimed_at IS NOT NULL GROUP BY player_id) AS claimed
        FULL JOIN (SELECT player_id, value::float8 AS gifts FROM player_stats
                   WHERE game_id = ${game_id} AND key = ${MESSAGE_STAT}) AS given USING (player_id)
        WHERE claims IS DISTINCT FROM gifts`);
      for (const { name, claims: made, gifts } of unequal) {
        problems.push(`${name} has claimed ${made} messages, and got ${gifts} gifts`);
      }
      return problems;
    },
  };
}
