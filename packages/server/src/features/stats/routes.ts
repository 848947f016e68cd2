import {
  createStat,
  deleteStat,
  listGameStats,
  updateStat,
} from '@overworld/contract/stats/definitions';
import { getPlayerStat, listPlayerStats, setPlayerStat } from '@overworld/contract/stats/player';
import { changeStats, listStats } from '@overworld/contract/stats/stats';
import { forEachGroup } from '../../platform/database/each-group.ts';
import { createGameDefinitionCache } from '../../platform/definition-cache.ts';
import type { Api } from '../../platform/http/api.ts';
import { readIdempotency } from '../../platform/http/idempotency.ts';
import { implement, JsonText } from '../../platform/http/implement.ts';
import { requireWriter, writerOf } from '../../platform/players/own-player.ts';
import { requirePlayer } from '../../platform/players/player-lock.ts';
import type { StatWatcher } from '../../platform/players/stat-watcher.ts';
import { createCatalogue } from './catalogue.ts';
import { createChangeStats } from './changes/change-stats.ts';
import { createStatKeyTrimmer } from './changes/key-trimmer.ts';
import { deleteExpiredKeys, identifyRequest } from './changes/request-keys.ts';
import { fieldOf, readStatChanges, toChanges } from './changes/stat-request.ts';
import { createStatWriter } from './changes/stat-writer.ts';
import { statKind } from './definition-kind.ts';
import { listAllStats, listDefinedStats } from './definition-store.ts';
import { createDefinitions, statNotFound } from './definitions.ts';
import type { Recount } from './definitions.ts';
import { foldOldHours } from './folding.ts';
import { statSource } from './player-data.ts';
import { setStat } from './set-stat.ts';
import {
  countPlayersByStat,
  findStatOfPlayer,
  listHours,
  listStatsOfPlayer,
  listValues,
} from './stat-store.ts';

/** On this channel a server tells the others that a game's statistics have changed. */
const CHANNEL = 'overworld_stats';
const HOUSEKEEPING_INTERVAL_MS = 600_000;
const TRIM_INTERVAL_MS = 10_000;

/**
 * @param parts.watcher Judges changes of statistics in their transactions; null if nothing does.
 * @param parts.recount Asks for statistics to be counted from the stored events.
 * @returns the player data of statistics, and the function with which other features change them.
 */
export function mountStats(
  api: Api,
  { watcher, recount }: { watcher: StatWatcher | null; recount: Recount },
) {
  const { opened, guard, hot, notifications, lastSeen, storage, background, database } = api;
  const writer = opened.add(createStatWriter(hot, watcher));
  const catalogues = createGameDefinitionCache(hot, {
    channel: CHANNEL,
    notifications,
    max_entries: 10_000,
    load: async (group, game_id) => createCatalogue(await listDefinedStats(group, game_id)),
  });
  const keys = createStatKeyTrimmer(database);
  background.everyHere(TRIM_INTERVAL_MS, 'trimming keys of statistics', () => keys.trim());
  const definitions = createDefinitions(catalogues, recount, api.uses.list);
  api.definitions.add(statKind(catalogues, recount));
  background.onOneServer(HOUSEKEEPING_INTERVAL_MS, 'deleting expired keys of statistics', () =>
    forEachGroup(database.groups, deleteExpiredKeys),
  );

  background.onOneServer(HOUSEKEEPING_INTERVAL_MS, 'joining old hours of statistics', () =>
    forEachGroup(database.groups, foldOldHours),
  );

  implement(api, changeStats, async (call) => {
    const { player_id, changes: sent_changes } = readStatChanges(call.body);
    const idempotency = readIdempotency(call.headers['idempotency-key'], call.body);
    const player = await guard.ownPlayer(call, player_id);
    const { game_id, environment } = player;
    const catalogue = catalogues.peek(game_id) ?? (await catalogues.get(game_id));
    const changes = toChanges(sent_changes, catalogue);
    for (const { key } of changes) {
      requireWriter(writerOf(call), catalogue.stats.get(key)!.writes_from, 'statistic');
    }
    const { values, unlocked } = await storage.run(player, { players: 1 }, () =>
      writer.change({
        player: { game_id, environment, player_id: player.player_id },
        changes,
        sent:
          idempotency &&
          identifyRequest(idempotency, call.caller.first_key_id, player_id ?? null, player),
        fieldOf,
      }),
    );
    lastSeen.note(player);
    if (idempotency !== null) keys.note(player);
    return {
      stats: changes.map(({ key }, index) => ({ key, value: values[index]! })),
      unlocked: [...unlocked],
    };
  });

  implement(api, listStats, async (call) => {
    const player = await guard.ownPlayer(call, call.query.player_id);
    const { game_id } = player;
    const catalogue = catalogues.peek(game_id) ?? (await catalogues.get(game_id));
    return new JsonText(catalogue.listForPlayer(await listValues(call.hot, player)));
  });

  implement(api, listGameStats, async ({ params: { game_id }, query, read }) => {
    const [stats, counts] = await read(async (from) => [
      await listAllStats(from, game_id),
      await countPlayersByStat(from, game_id, query.environment),
    ]);
    return {
      stats: stats.map((stat) => ({ ...stat, player_count: counts.get(stat.key) ?? 0 })),
      next_cursor: null,
    };
  });

  implement(api, createStat, (call) =>
    definitions.create(call.database, call.params.game_id, call.body, call.actor),
  );

  implement(api, updateStat, ({ params, body, actor, database: of_game }) =>
    definitions.update(of_game, params.game_id, params.stat_key, body, actor),
  );

  implement(api, deleteStat, async ({ params, actor, database: of_game }) => {
    const { game_id, stat_key } = params;
    return {
      key: stat_key,
      result: await definitions.delete(of_game, game_id, stat_key, actor),
    };
  });

  implement(api, listPlayerStats, async ({ params, query, database: of_game }) => {
    const player = { ...params, environment: query.environment };
    await requirePlayer(of_game, player);
    return { stats: await listStatsOfPlayer(of_game, player), next_cursor: null };
  });

  implement(api, getPlayerStat, async ({ params, query, database: of_game }) => {
    const { stat_key, ...rest } = params;
    const player = { ...rest, environment: query.environment };
    await requirePlayer(of_game, player);
    const stat = await findStatOfPlayer(of_game, player, stat_key);
    if (stat === null) throw statNotFound();
    return { ...stat, hours: await listHours(of_game, player, stat_key) };
  });

  implement(api, setPlayerStat, ({ params, query, body, actor, database: of_game }) => {
    const { stat_key, ...rest } = params;
    const player = { ...rest, environment: query.environment };
    return setStat(of_game, watcher, player, stat_key, body, actor);
  });

  return { source: statSource, changeStats: createChangeStats(watcher) };
}
