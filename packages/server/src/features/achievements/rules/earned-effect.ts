import { MAX_TRIAL_EXAMPLES } from '@overworld/contract/definitions/trials';
import { sql } from '../../../platform/database/sql.ts';
import { inWords } from '../../../platform/definitions/effects.ts';
import type { EffectDatabase, FoundEffect } from '../../../platform/definitions/effects.ts';
import { isOfTenant } from '../../../platform/players/player-key.ts';
import { earnersOf } from './earners.ts';
import type { Earning } from './earners.ts';

export type EarnedInput = Earning;

/** Counts the players who have earned an achievement by its rule, and do not have it. */
export async function count(
  database: EffectDatabase,
  input: EarnedInput,
  late: AbortSignal,
): Promise<FoundEffect[]> {
  const { environment, rule } = input;
  const [first] = rule;
  const [counts] = await database.query<{ earned: number; players: number }>(
    sql`
      SELECT (SELECT count(*) FROM ${earnersOf(input)}) AS earned,
        (SELECT count(*) FROM players WHERE ${isOfTenant(input)}) AS players`,
    late,
  );
  const { earned, players } = counts!;
  const newest = await database.query<{ player_id: string; value: number; at: string }>(
    sql`
      SELECT player_id, value::float8 AS value, changed_at AS at FROM ${earnersOf(input)}
      ORDER BY changed_at DESC, player_id
      LIMIT ${MAX_TRIAL_EXAMPLES}`,
    late,
  );
  const have = earned === 1 ? 'player has' : 'players have';
  return [
    {
      about: 'players',
      environment,
      part: null,
      state: 'counted',
      numbers: { players, earned },
      words: `${inWords(earned)} ${have} earned it already in ${environment}, and do not have it.`,
      players: { count: earned, of: players },
      examples: newest.map(({ player_id, value, at }) => ({
        player_id,
        at,
        words: `${first!.stat} ${inWords(value)} of ${inWords(first!.at_least)}`,
      })),
    },
  ];
}
