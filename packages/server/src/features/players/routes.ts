import {
  addPlayerTag,
  getPlayer,
  getPlayerTimeline,
  identifyPlayer,
  MAX_TIMELINE_LIMIT,
  MAX_TIMELINE_OFFSET,
  removePlayerTag,
} from '@overworld/contract/players/players';
import { badRequest, notFound } from '../../platform/errors.ts';
import type { Api } from '../../platform/http/api.ts';
import { implement, JsonText } from '../../platform/http/implement.ts';
import { readList } from '../../platform/http/page.ts';
import { writeJson } from '../../platform/http/write-json.ts';
import { mountDashboardRoutes } from './dashboard-routes.ts';
import { mountDeletions } from './deletions/routes.ts';
import { mountMerges } from './merges/routes.ts';
import { mountOwnData } from './own-data/routes.ts';
import { removeTag } from './writes/hot-store.ts';
import { mayName, readIdentify } from './player-body.ts';
import { choosePlayer } from './player-choice.ts';
import { getDetail } from './player-detail.ts';
import { startHousekeeping } from './housekeeping.ts';
import type { PlayerParts, PlayerServices } from './player-services.ts';
import { createPlayerWriter } from './writes/player-writer.ts';
import { changeTagOfPlayers } from './writes/tag-many.ts';
import { mountStory } from './story/routes.ts';
import * as store from './store.ts';
import { readNewTag, readTag } from '../../platform/players/tags.ts';

/** The maximum number of rows that a write can add. It adds one row if its player is new. */
const ONE_PLAYER = { players: 1 };

/**
 * A read of the timeline that skips and lists no more events than this takes PostgreSQL less than a
 * millisecond, so it need not wait for its turn. The longest read takes 5 to 10 ms.
 */
const MAX_SHORT_READ = 100;

/** @returns the change of tags of many players, for other features. */
export function mountPlayers(platform: Api, parts: PlayerParts) {
  const api: PlayerServices = { ...platform, ...parts };
  const { opened, hot, guard, lastSeen, storage, history } = api;
  const players = opened.add(createPlayerWriter(hot));
  startHousekeeping(api);

  implement(api, identifyPlayer, async (call) => {
    const { player_id: sent, properties } = readIdentify(call.body);
    const player = await guard.ownPlayer(call, sent);
    const may_name = mayName(properties, call.caller.player_name_property);
    const merged = await storage.run(player, ONE_PLAYER, () =>
      players.mergeProperties({ player, properties, may_name }),
    );
    lastSeen.note(player);
    return new JsonText(`{"player_id":${JSON.stringify(player.player_id)},"properties":${merged}}`);
  });

  implement(api, addPlayerTag, async (call) => {
    const player = await guard.ownPlayer(call, call.params.player_id);
    const tag = readNewTag(call.body.tag);
    const tags = await storage.run(player, ONE_PLAYER, () => players.addTag(player, tag));
    lastSeen.note(player);
    return { player_id: player.player_id, tags };
  });

  implement(api, removePlayerTag, async (call) => {
    const player = await guard.ownPlayer(call, call.params.player_id);
    const removed = await removeTag(call.hot, player, readTag(call.params.tag));
    if (!removed) throw notFound('Tag not found');
    lastSeen.note(player);
  });

  implement(api, getPlayer, async (call) => {
    const player = await choosePlayer(api, guard, call);
    await lastSeen.writePlayer(player);
    // The API for games does not show names, because they are a setting of the dashboard.
    const { name: _name, ...detail } = await getDetail(
      api.reads.ofGame(player.game_id),
      history,
      player,
    );
    return new JsonText(writeJson(detail));
  });

  implement(api, getPlayerTimeline, async (call) => {
    const { offset, cursor } = call.query;
    if (offset > MAX_TIMELINE_OFFSET) {
      throw badRequest(
        `offset must be at most ${MAX_TIMELINE_OFFSET}: send next_cursor as cursor to read older events`,
      );
    }
    const limit = Math.min(call.query.limit, MAX_TIMELINE_LIMIT);
    const player = await choosePlayer(api, guard, call);
    const key = { received: 'time', id: 'bigint' } as const;
    const database = api.reads.ofGame(player.game_id);
    const read = async () => {
      await store.getPlayer(database, player);
      return readList(database, { cursor, limit }, key, (_from, after, count) =>
        history.listTimeline(database, player, { limit: count, offset, after }),
      );
    };
    const isShort = offset + limit <= MAX_SHORT_READ;
    const { page, next_cursor } = await (isShort ? read() : call.read(read));
    const events = page.map(({ id: _id, received: _received, ...event }) => event);
    const { player_id } = player;
    return new JsonText(writeJson({ player_id, events, limit, offset, next_cursor }));
  });

  mountDashboardRoutes(api);
  mountOwnData(api);
  mountMerges(api);
  mountDeletions(api);
  mountStory(api);
  return { changeTagOfPlayers };
}
