import { randomUUID } from 'node:crypto';
import { sql } from '../../packages/server/src/platform/database/sql.ts';
import type { Random } from '../random.ts';
import type { HttpRequest } from './connection.ts';
import { RULED } from './game.ts';
import type { Step, Workload } from './workload.ts';

/** The statistics of a player: a sum that is at least 0, the number of purchases, and the best round. */
interface Values {
  coins: number;
  bought: number;
  best: number | null;
}

interface Sent {
  player_id: string;
  request: HttpRequest;
  before: Values;
  /** The values after the request; the same as before if it must be refused. */
  after: Values;
  is_refused: boolean;
  /** True if it was sent before, without an answer. A repeat is not told what the first request unlocked. */
  is_repeat: boolean;
}

const NONE: Values = { coins: 0, bought: 0, best: null };
const PLAYERS_OF_A_CLIENT = 5;
/** The purchases at which the rule of `RULED` unlocks. */
const RULED_AT = 2;
/** A player whose coins all clients change at the same time. */
const SHARED = 'st-shared';

/**
 * Changes statistics with an Idempotency-Key, several in one request. A request without an answer is sent again
 * until it has one, so each is done exactly once. The second purchase of a player unlocks an achievement.
 */
export function createStatLoad(random: Random): Workload {
  const known = new Map<string, Values>();
  /** The requests whose outcomes are not known, by client. */
  const open = new Map<number, Sent>();
  let shared = 0;

  const make = (client: number): Sent => {
    const is_shared = random.below(4) === 0;
    const player_id = is_shared ? SHARED : `st-${client}-${random.below(PLAYERS_OF_A_CLIENT)}`;
    const before = known.get(player_id) ?? NONE;
    const changes = is_shared
      ? [{ key: 'coins', value: 1 }]
      : random.below(2) === 0
        ? [{ key: 'coins', value: 1 + random.below(20) }]
        : [
            { key: 'bought', value: 1 },
            { key: 'best', value: random.below(1_000) },
            { key: 'coins', value: -random.below(20) },
          ];
    const after = { ...before };
    for (const { key, value } of changes) {
      if (key === 'best') after.best = Math.max(before.best ?? value, value);
      else after[key as 'coins'] += value;
    }
    const is_refused = !is_shared && after.coins < 0;
    return {
      player_id,
      before,
      after: is_refused ? before : after,
      is_refused,
      is_repeat: false,
      request: {
        method: 'POST',
        path: '/v1/stats',
        headers: { 'idempotency-key': randomUUID() },
        body: JSON.stringify({ player_id, changes }),
      },
    };
  };

  return {
    name: 'stats',
    next(client): Step {
      const sent = open.get(client) ?? make(client);
      open.set(client, sent);
      const { player_id, request, before, after, is_refused } = sent;
      return {
        request,
        accepts: is_refused ? [400] : [],
        onOutcome(answer) {
          if (answer === null) {
            sent.is_repeat = true;
            return null;
          }
          open.delete(client);
          if (is_refused !== (answer.status === 400)) {
            return `${player_id}: ${request.body} was answered ${answer.status}`;
          }
          if (player_id === SHARED) {
            shared += 1;
            return null;
          }
          known.set(player_id, after);
          if (is_refused) return null;
          const { values, unlocked } = readAnswer(answer.body);
          const is_earned = before.bought < RULED_AT && after.bought >= RULED_AT;
          const is_told = unlocked.join() === (is_earned ? RULED : '');
          if (!is_told && !(sent.is_repeat && unlocked.length === 0)) {
            return `${player_id}: ${request.body} was told to unlock "${unlocked.join()}"`;
          }
          return compare(player_id, values, after);
        },
      };
    },
    async check({ database, game_id }) {
      const rows = await database.query<{ player_id: string; key: string; value: number }>(sql`
        SELECT player_id, key, value::float8 AS value FROM player_stats
        WHERE game_id = ${game_id} AND player_id LIKE 'st-%'`);
      const stored = new Map<string, Values>();
      for (const { player_id, key, value } of rows) {
        stored.set(player_id, { ...(stored.get(player_id) ?? NONE), [key]: value });
      }
      const sent = [...open.values()];
      const problems: string[] = [];
      const of_all = stored.get(SHARED)?.coins ?? 0;
      const unknown = sent.filter(({ player_id }) => player_id === SHARED).length;
      if (of_all < shared || of_all > shared + unknown) {
        problems.push(`${of_all} changes of ${shared} to ${shared + unknown} are stored`);
      }
      stored.delete(SHARED);
      for (const [player_id, values] of known) {
        if (player_id === SHARED) continue;
        const found = stored.get(player_id) ?? NONE;
        stored.delete(player_id);
        const maybe = sent.find((each) => each.player_id === player_id);
        const problem = compare(player_id, found, values);
        if (problem !== null && (!maybe || compare(player_id, found, maybe.after) !== null)) {
          problems.push(problem);
        }
      }
      for (const player_id of stored.keys()) {
        if (!sent.some((each) => each.player_id === player_id)) {
          problems.push(`nobody has changed statistics of ${player_id}`);
        }
      }
      const apart = await database.query<{ name: string }>(sql`
        SELECT concat(had.player_id, ' ', had.key) AS name
        FROM player_stats AS had
        LEFT JOIN player_stat_hours AS hours USING (game_id, environment, player_id, key)
        WHERE had.game_id = ${game_id}
        GROUP BY had.player_id, had.key, had.aggregation, had.value, had.base
        HAVING had.value IS DISTINCT FROM CASE had.aggregation
          WHEN 'sum' THEN coalesce(had.base, 0) + coalesce(sum(hours.value), 0)
          ELSE GREATEST(had.base, max(hours.value))
        END`);
      const unruled = await database.query<{ player_id: string }>(sql`
        SELECT coalesce(had.player_id, earned.player_id) AS player_id
        FROM (SELECT player_id FROM player_stats
              WHERE game_id = ${game_id} AND key = 'bought' AND value >= ${RULED_AT}) AS earned
        FULL JOIN (SELECT player_id FROM achievement_unlocks
                   WHERE game_id = ${game_id} AND achievement_key = ${RULED}) AS had USING (player_id)
        WHERE had.player_id IS NULL OR earned.player_id IS NULL`);
      problems.push(...unruled.map((each) => `${each.player_id}: the rule was not followed`));
      problems.push(...apart.map(({ name }) => `the hours of ${name} do not join to its value`));
      return problems;
    },
  };
}

function readAnswer(body: string): { values: Partial<Values>; unlocked: string[] } {
  const { stats, unlocked } = JSON.parse(body) as {
    stats: { key: string; value: number }[];
    unlocked: { key: string }[];
  };
  const values = Object.fromEntries(stats.map(({ key, value }) => [key, value]));
  return { values, unlocked: unlocked.map(({ key }) => key) };
}

/** Compares the values that are there. */
function compare(player_id: string, found: Partial<Values>, expected: Values): string | null {
  const isEqual = Object.entries(found).every(
    ([key, value]) => value === expected[key as keyof Values],
  );
  return isEqual
    ? null
    : `${player_id} has ${JSON.stringify(found)} and not ${JSON.stringify(expected)}`;
}
