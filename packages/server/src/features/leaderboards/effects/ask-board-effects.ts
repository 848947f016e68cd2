import type { Environment } from '@overworld/contract/common';
import { EFFECT_DAYS } from '@overworld/contract/definitions/effects';
import { BOARD_RULES } from '@overworld/contract/leaderboards/rules';
import type { Database } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { AskEffects, Definition } from '../../../platform/definitions/definition-kind.ts';
import { environmentsOf, inWords } from '../../../platform/definitions/effects.ts';
import type { FoundEffect } from '../../../platform/definitions/effects.ts';
import type { Settings } from '../seasons/settings-store.ts';
import type { BoardEffectInput } from './board-effect.ts';

const MODULE = new URL('./board-effect.ts', import.meta.url).href;

/** The settings that decide whether a submit of the ledger is stopped. */
const DECISIVE = [
  'order',
  'min_score',
  'max_score',
  'writes_from',
  'on_violation',
  'first_gain_from',
  // The ledger has no metadata.
  ...BOARD_RULES.filter((rule) => rule !== 'required_metadata'),
] as const satisfies (keyof Settings)[];

/**
 * Makes the question how many of the submits of late the changed rules of a board would have stopped.
 * @param settingsOf Reads the settings of a board from a definition.
 */
export const askBoardEffects =
  (settingsOf: (definition: Definition) => Settings): AskEffects =>
  async ({ database, game_id, since, tried_in }, { key: board_name, before, after }) => {
    if (before === null || after === null) return [];
    const [old, next] = [settingsOf(before), settingsOf(after)];
    const effects: FoundEffect[] = [];
    const needed = next.required_metadata.filter((name) => !old.required_metadata.includes(name));
    if (needed.length > 0) effects.push(withoutMetadata(needed));
    if (old.keeps !== next.keeps) {
      effects.push(...(await keptOtherwise(database, { game_id, board_name }, tried_in, next)));
    }
    if (DECISIVE.every((name) => old[name] === next[name])) return effects;
    if (!old.keeps_ledger) return [...effects, WITHOUT_LEDGER];
    const input: BoardEffectInput = {
      game_id,
      board_name,
      since,
      tried_in,
      days: Math.min(EFFECT_DAYS, old.ledger_days),
      before: old,
      after: next,
      server_keys: await listServerKeys(database, game_id),
    };
    const words = 'the submits of late that the settings would have stopped';
    const uncounted = { about: 'submits' as const, environment: null, part: null, words };
    // As for the submits of a player.
    return [...effects, { module: MODULE, input, role: 'developer', uncounted }];
  };

const unknown = (part: string | null, words: string): FoundEffect => ({
  about: 'submits',
  environment: null,
  part,
  state: 'uncounted',
  numbers: {},
  words,
});

const withoutMetadata = (names: readonly string[]): FoundEffect =>
  unknown(
    'required_metadata',
    `The ledger has no metadata, so it is not known how many submits lack ${names.map((name) => `\`${name}\``).join(', ')}.`,
  );

const WITHOUT_LEDGER = unknown(
  null,
  'The board has no ledger, so it is not known how many submits the settings would have stopped.',
);

const KEPT: Readonly<Record<Settings['keeps'], string>> = {
  best: 'the best score of a player',
  latest: 'the latest score of a player',
  sum: 'the sum of the scores of a player',
};

/** Says when the board begins to keep something else, and how many players its present seasons have. */
async function keptOtherwise(
  database: Database,
  { game_id, board_name }: { game_id: string; board_name: string },
  tried_in: Environment | null,
  { keeps }: Settings,
): Promise<FoundEffect[]> {
  const rows = await database.query<{ environment: Environment; players: number }>(sql`
    SELECT DISTINCT ON (environment) environment, total_entries AS players
    FROM leaderboard_seasons
    WHERE game_id = ${game_id} AND board_name = ${board_name}
    ORDER BY environment, season DESC`);
  return environmentsOf({ tried_in }).map((environment) => {
    const players = rows.find((row) => row.environment === environment)?.players ?? 0;
    const words =
      players === 0
        ? `In ${environment}, the board keeps ${KEPT[keeps]} at once, because its season has no scores.`
        : `From its next season in ${environment} on, the board keeps ${KEPT[keeps]}. The present one, with ${inWords(players)} ${players === 1 ? 'player' : 'players'}, ends as it began.`;
    return {
      about: 'players',
      environment,
      part: 'keeps',
      state: 'counted',
      numbers: { players },
      words,
    };
  });
}

/** Lists the server keys of a game, also those that are revoked. */
async function listServerKeys(database: Database, game_id: string): Promise<string[]> {
  const rows = await database.query<{ id: string }>(
    sql`SELECT id FROM api_keys WHERE game_id = ${game_id} AND kind = 'server'`,
  );
  return rows.map(({ id }) => id);
}
