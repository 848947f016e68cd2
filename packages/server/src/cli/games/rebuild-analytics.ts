import { grantCounted } from '../../features/achievements/grants-to-earners/grant-counted.ts';
import { rebuildGame } from '../../features/reports/rollups/rebuilder.ts';
import { forgetDaysOfGame } from '../../features/experiments/results/day-store.ts';
import { pauseIngest } from '../../features/events/inbox/ingest.ts';
import { unsealGame } from '../../features/reports/sealed/unseal.ts';
import { recountStats } from '../../features/stats/sources/recount.ts';
import type { Database } from '../../platform/database/database.ts';
import type { GroupedDatabase } from '../../platform/database/game-groups.ts';
import { sql } from '../../platform/database/sql.ts';
import { isUuid } from '../../platform/http/validation.ts';
import { CommandError } from '../command.ts';
import type { Command } from '../command.ts';
import { withMigratedInstallation } from '../installation.ts';
import { showProgress } from '../progress.ts';

export const rebuildAnalyticsCommand: Command = {
  name: 'rebuild-analytics',
  usage: '[<game-id>]',
  summary: 'Rebuild the rollups of a game, or of all games, from events, also while a server runs',
  words: 0,
  optional_words: 1,
  async run(context) {
    const [game_id] = context.words;
    if (game_id !== undefined && !isUuid(game_id)) {
      throw new CommandError(`${game_id} is not the id of a game.`);
    }
    await withMigratedInstallation(context, async (database) => {
      const games = await listGames(database, game_id);
      if (game_id !== undefined && games.length === 0) {
        throw new CommandError(`There is no game ${game_id}.`);
      }
      for (const game of games) await rebuildAnalytics(database, game);
      if (games.length === 0) context.say('There are no games.');
    });
  },
};

/** Rebuilds the rollups of one game from its events, and shows a progress bar. */
export async function rebuildAnalytics(
  database: GroupedDatabase,
  { id, name }: { id: string; name: string },
): Promise<void> {
  const progress = showProgress();
  const begun = performance.now();
  await database.ofGame(id).transaction((tx) => unsealGame(tx, id));
  const is_done = await rebuildGame(database.ofGame(id), pauseIngest, {
    game_id: id,
    forgetKept: forgetDaysOfGame,
    recountStats: async (tx, game_id, which) =>
      grantCounted(tx, game_id, await recountStats(tx, game_id, which)),
    onProgress: (share) => progress.update(share, `${name}: reading events`),
  });
  const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
  progress.done(
    is_done
      ? `${name}: analytics rebuilt in ${seconds} s`
      : `${name}: a running server has rebuilt analytics`,
  );
}

async function listGames(
  database: Database,
  game_id: string | undefined,
): Promise<{ id: string; name: string }[]> {
  return database.query(sql`
    SELECT id, name FROM games
    WHERE ${game_id}::uuid IS NULL OR id = ${game_id}
    ORDER BY created_at, id`);
}
