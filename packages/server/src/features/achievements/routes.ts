import {
  createAchievement,
  deleteAchievement,
  listGameAchievements,
  updateAchievement,
} from '@overworld/contract/achievements/definitions';
import { listAchievements, unlockAchievement } from '@overworld/contract/achievements/achievements';
import {
  grantAchievement,
  listPlayerAchievements,
  revokeAchievement,
} from '@overworld/contract/achievements/player';
import { createGameDefinitionCache } from '../../platform/definition-cache.ts';
import { notFound } from '../../platform/errors.ts';
import type { Api } from '../../platform/http/api.ts';
import { implement, JsonText, Reply } from '../../platform/http/implement.ts';
import { localeWishOf } from '../../platform/locale.ts';
import { requireWriter, writerOf } from '../../platform/players/own-player.ts';
import { requirePlayer } from '../../platform/players/player-lock.ts';
import { createCatalogue } from './catalogue.ts';
import {
  countPlayers,
  listCountedAchievements,
  listDefinedAchievements,
} from './definition-store.ts';
import { achievementKind } from './definition-kind.ts';
import { createDefinitions } from './definitions.ts';
import { mountGrantsToEarners } from './grants-to-earners/routes.ts';
import type { ListAggregations } from './rules/check-rule.ts';
import type { StatValues } from './rules/unlock-rules.ts';
import { listUnlockUses } from './rules/rule-uses.ts';
import { createUnlockWatcher } from './rules/unlock-watcher.ts';
import type { ListValuesOf } from './rules/unlock-watcher.ts';
import { grant, revoke } from './grants.ts';
import { isAnyListening } from '../../platform/webhooks/listeners.ts';
import type { Listeners } from '../../platform/webhooks/listeners.ts';
import { unlockStory } from './story.ts';
import { listUnlockedAchievements, listUnlockTimes, unlockSource } from './unlock-store.ts';
import { createUnlockWriter } from './unlock-writer.ts';

const NO_VALUES: readonly StatValues[] = [];

/** On this channel a server tells the others that a game's achievements have changed. */
const CHANNEL = 'overworld_achievements';

/** The reads of statistics that achievements need. */
export interface StatReaders {
  listAggregations: ListAggregations;
  listValuesOf: ListValuesOf;
}

/** @returns the player data of achievements, and what judges statistics, for other features. */
export function mountAchievements(api: Api, listeners: Listeners, stats: StatReaders) {
  const { opened, guard, hot, notifications, lastSeen, storage } = api;
  const { listAggregations, listValuesOf } = stats;
  const mayListen = (games: readonly string[]) =>
    isAnyListening(listeners, games, 'achievement.unlocked');
  const unlocks = opened.add(createUnlockWriter(hot, mayListen));
  const catalogues = createGameDefinitionCache(hot, {
    channel: CHANNEL,
    notifications,
    max_entries: 10_000,
    load: async (database, game_id) =>
      createCatalogue(await listDefinedAchievements(database, game_id)),
  });
  const definitions = createDefinitions(catalogues, listAggregations, api.uses.list);
  api.uses.add(listUnlockUses);
  api.definitions.add(achievementKind(catalogues, listAggregations));
  mountGrantsToEarners(api, mayListen);

  implement(api, unlockAchievement, async (call) => {
    const { player_id, achievement_key } = call.body;
    const player = await guard.ownPlayer(call, player_id);
    const catalogue = catalogues.peek(player.game_id) ?? (await catalogues.get(player.game_id));
    const writes_from = catalogue.restricted.get(achievement_key);
    if (writes_from !== undefined) requireWriter(writerOf(call), writes_from, 'achievement');
    const unlock = await storage.run(player, { players: 1 }, () =>
      unlocks.submit({ ...player, achievement_key }),
    );
    if (unlock === null) throw notFound('Achievement not found');
    lastSeen.note(player);
    const achievement = {
      ...unlock.achievement,
      ...catalogue.in(localeWishOf(call)).findTexts(achievement_key),
    };
    return { success: true as const, ...unlock, achievement };
  });

  implement(api, listAchievements, async (call) => {
    const { game_id } = call.caller;
    const player = await guard.ownPlayerIfNamed(call, call.query.player_id);
    const catalogue = catalogues.peek(game_id) ?? (await catalogues.get(game_id));
    const list = catalogue.in(localeWishOf(call));
    if (player === null) return new JsonText(list.text);
    const [times, values] = await Promise.all([
      listUnlockTimes(call.hot, player),
      catalogue.shows_progress ? listValuesOf(call.hot, [player]) : NO_VALUES,
    ]);
    return new JsonText(list.forPlayer(times, values[0]));
  });

  implement(api, listGameAchievements, async ({ params, query, read }) => {
    const { game_id } = params;
    const { achievements, player_count } = await read(async (database) => ({
      achievements: await listCountedAchievements(database, game_id, query.environment),
      player_count: await countPlayers(database, game_id, query.environment),
    }));
    return {
      achievements: achievements.map((achievement) => ({
        ...achievement,
        unlock_share: player_count === 0 ? 0 : achievement.unlock_count / player_count,
      })),
      next_cursor: null,
      player_count,
    };
  });

  implement(api, createAchievement, ({ params, body, actor, database }) =>
    definitions.create(database, params.game_id, body, actor),
  );

  implement(api, updateAchievement, ({ params, body, actor, database }) =>
    definitions.update(database, params.game_id, params.key, body, actor),
  );

  implement(api, deleteAchievement, async ({ params, actor, database }) => {
    const { game_id, key } = params;
    return { key, result: await definitions.delete(database, game_id, key, actor) };
  });

  implement(api, listPlayerAchievements, async ({ params, query, database }) => {
    const player = { ...params, environment: query.environment };
    await requirePlayer(database, player);
    const achievements = await listUnlockedAchievements(database, player);
    const points = (listed: typeof achievements) => listed.reduce((sum, a) => sum + a.points, 0);
    return {
      achievements,
      next_cursor: null,
      total_points: points(achievements),
      unlocked_points: points(achievements.filter(({ unlocked }) => unlocked)),
    };
  });

  implement(api, grantAchievement, async ({ params, query, actor, database }) => {
    const { key, ...player } = { ...params, environment: query.environment };
    const { is_new, achievement } = await grant(database, player, key, actor);
    return new Reply(is_new ? 201 : 200, achievement);
  });

  implement(api, revokeAchievement, async ({ params, query, actor, database }) => {
    const { key, ...player } = { ...params, environment: query.environment };
    await revoke(database, player, key, actor);
  });
  return {
    source: unlockSource,
    story: unlockStory,
    watcher: createUnlockWatcher({ catalogues, listValuesOf, mayListen }),
  };
}
