import type { DefinitionCache } from '../../../platform/definition-cache.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { keyArrays, nameOfPlayer } from '../../../platform/players/player-key.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';
import type {
  JudgedUnlock,
  MovedStat,
  StatWatcher,
} from '../../../platform/players/stat-watcher.ts';
import { createCatalogue } from '../catalogue.ts';
import type { Catalogue } from '../catalogue.ts';
import { listDefinedAchievements } from '../definition-store.ts';
import { insertUnlocks } from '../insert-unlocks.ts';
import type { Unlock } from '../insert-unlocks.ts';
import { isEarned } from './unlock-rules.ts';
import type { StatValues } from './unlock-rules.ts';

/** Lists the values of the statistics of players, in the order of the players. */
export type ListValuesOf = (
  database: Queryable,
  players: readonly PlayerKey[],
) => Promise<readonly StatValues[]>;

/**
 * Makes the watcher that unlocks achievements by their rules. A rule is judged by all values of the player, also
 * by those that the transaction does not change: so a player who had earned an achievement before its rule was
 * made gets it with the next change.
 * @param mayListen Tells whether webhooks of one of the games may listen to unlocks.
 */
export function createUnlockWatcher(services: {
  catalogues: DefinitionCache<Catalogue>;
  listValuesOf: ListValuesOf;
  mayListen: (game_ids: readonly string[]) => Promise<boolean>;
}): StatWatcher {
  const { catalogues, listValuesOf, mayListen } = services;
  return {
    watches(game_id, key) {
      const known = catalogues.peek(game_id);
      if (known !== undefined) return known.rules_by_stat.has(key);
      // The caller may be in a transaction, so it does not wait for another connection. `judge` reads the rules.
      void catalogues.get(game_id).catch(() => undefined);
      return true;
    },
    async judge(tx, moved) {
      const candidates: RuledUnlock[] = [];
      for (const [game_id, stats] of Map.groupBy(moved, (each) => each.game_id)) {
        // Not `get`, which could wait for a second connection while this transaction holds one.
        const catalogue =
          catalogues.peek(game_id) ?? createCatalogue(await listDefinedAchievements(tx, game_id));
        candidates.push(...(await listEarned(tx, listValuesOf, catalogue, stats)));
      }
      const missing = await withoutUnlocked(tx, candidates);
      if (missing.length === 0) return [];
      const games = [...new Set(missing.map(({ player }) => player.game_id))];
      await insertUnlocks(tx, missing, await mayListen(games));
      return missing
        .filter(({ is_new }) => is_new)
        .map(({ player, achievement_key: key, definition, stats }): JudgedUnlock => {
          const { name, points } = definition!;
          return { player, stats, achievement: { key, name, points } };
        });
    },
  };
}

/** An unlock by a rule. */
interface RuledUnlock extends Unlock {
  /** The statistics of the rule. */
  stats: readonly string[];
}

/** Lists the achievements that players of one game meet after the changes. They may have them already. */
async function listEarned(
  tx: Queryable,
  listValuesOf: ListValuesOf,
  { rules_by_stat }: Catalogue,
  moved: readonly MovedStat[],
): Promise<RuledUnlock[]> {
  const players = new Map<string, { player: PlayerKey; values: Map<string, number> }>();
  for (const { game_id, environment, player_id, key, value } of moved) {
    const player = { game_id, environment, player_id };
    const name = nameOfPlayer(player);
    const known = players.get(name) ?? { player, values: new Map<string, number>() };
    players.set(name, known);
    known.values.set(key, value);
  }
  const rulesOf = (values: ReadonlyMap<string, number>) => [
    ...new Set([...values.keys()].flatMap((key) => rules_by_stat.get(key) ?? [])),
  ];
  const asking = [...players.values()].filter(({ values }) =>
    rulesOf(values).some(({ rule }) => rule.some(({ stat }) => !values.has(stat))),
  );
  if (asking.length > 0) {
    // Of two transactions that change two statistics of a player, the second one must see the values of the
    // first one; otherwise both would miss a rule about both.
    await lockForRules(
      tx,
      asking.map(({ player }) => player),
    );
    const found = await listValuesOf(
      tx,
      asking.map(({ player }) => player),
    );
    asking.forEach(({ values }, index) => {
      for (const [key, value] of found[index]!) if (!values.has(key)) values.set(key, value);
    });
  }
  return [...players.values()].flatMap(({ player, values }) => {
    const shared = { ...player, total_points: 0 };
    return rulesOf(values)
      .filter(({ rule }) => isEarned(rule, values))
      .map(({ key, rule }) => ({
        player: shared,
        stats: rule.map(({ stat }) => stat),
        achievement_key: key,
        definition: null,
        is_new: false,
      }));
  });
}

async function lockForRules(tx: Queryable, players: readonly PlayerKey[]): Promise<void> {
  await tx.execute(sql`
    SELECT FROM players
    JOIN unnest(${keyArrays(players)}) AS asked (game_id, environment, player_id)
      USING (game_id, environment, player_id)
    ORDER BY players.game_id, players.environment, players.player_id
    FOR NO KEY UPDATE OF players`);
}

/** Leaves out the achievements that players have, by a statement that takes no locks. */
async function withoutUnlocked(
  tx: Queryable,
  unlocks: readonly RuledUnlock[],
): Promise<RuledUnlock[]> {
  if (unlocks.length === 0) return [];
  const rows = await tx.query<{ index: number }>(sql`
    SELECT number - 1 AS index
    FROM unnest(${keyArrays(unlocks.map(({ player }) => player))},
                ${unlocks.map(({ achievement_key }) => achievement_key)}::text[])
      WITH ORDINALITY AS asked (game_id, environment, player_id, achievement_key, number)
    WHERE NOT EXISTS (
      SELECT FROM achievement_unlocks AS had
      WHERE had.game_id = asked.game_id AND had.environment = asked.environment
        AND had.player_id = asked.player_id AND had.achievement_key = asked.achievement_key)
    ORDER BY number`);
  return rows.map(({ index }) => unlocks[index]!);
}
