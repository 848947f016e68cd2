import * as contract from '@overworld/contract/messages/messages';
import type { Clock } from '../../platform/clock.ts';
import { createGameDefinitionCache } from '../../platform/definition-cache.ts';
import type { Database } from '../../platform/database/database.ts';
import { roundInterval } from '../../platform/database/each-group.ts';
import { notFound } from '../../platform/errors.ts';
import type { Api } from '../../platform/http/api.ts';
import { matchesEtag, makeEtag } from '../../platform/http/etag.ts';
import { implement, JsonText, Reply } from '../../platform/http/implement.ts';
import { localeWishOf } from '../../platform/locale.ts';
import { nameOfTenant, readTenant } from '../../platform/players/player-key.ts';
import type { NamedPlayer, PlayerKey } from '../../platform/players/player-key.ts';
import { isAnyListening } from '../../platform/webhooks/listeners.ts';
import type { Listeners } from '../../platform/webhooks/listeners.ts';
import type { SegmentJudge } from './audience.ts';
import { startCleanup } from './cleanup.ts';
import { mountSending } from './dashboard-routes.ts';
import { writeList } from './listing.ts';
import { createMemberFreezer } from './member-freezer.ts';
import { listMessageUses } from './message-uses.ts';
import { createMessageReader } from './reader.ts';
import type { RewardGivers } from './rewards.ts';
import type { FindSegment } from './saved-segment.ts';
import { mountMessageSchedules } from './schedules/routes.ts';
import { listForPlayer, loadSharedMessages } from './shared-messages.ts';
import { createStateWriter } from './state-writer.ts';

/** On this channel a server tells the others that the messages to many of an environment have changed. */
const CHANNEL = 'overworld_messages';
/** A message that its sender's server has not sent, such as one of a killed server, waits at most this long. */
const LEFT_OVER_MS = 5_000;

interface MessageParts {
  listeners: Listeners;
  givers: RewardGivers;
  judge: SegmentJudge;
  findSegment: FindSegment;
  clock: Clock;
}

export function mountMessages(api: Api, parts: MessageParts): void {
  const { background, hot, notifications, guard, opened, storage, lastSeen } = api;
  const { listeners, givers, judge, clock } = parts;
  const reader = opened.add(createMessageReader(hot));
  const writer = opened.add(
    createStateWriter(hot, {
      givers,
      mayListen: (games) => isAnyListening(listeners, games, 'message.claimed'),
    }),
  );
  const shared = createGameDefinitionCache(hot, {
    channel: CHANNEL,
    notifications,
    max_entries: 2_000,
    load: (database, name) => loadSharedMessages(database, readTenant(name)),
  });
  const freezer = opened.add(createMemberFreezer(api.database, shared));
  background.every(roundInterval(LEFT_OVER_MS, api.database), 'sending messages to members', () =>
    freezer.run(),
  );
  startCleanup(api);
  api.uses.add(listMessageUses);
  const sending = { ...parts, shared, freezer };
  mountSending(api, sending);
  mountMessageSchedules(api, sending);

  const getShared = async (player: PlayerKey) => {
    const name = nameOfTenant(player);
    return shared.peek(name) ?? (await shared.get(name));
  };

  /** @throws ApiError 404 when the message is for others, and the player has never had it. */
  const requireAddressee = async (database: Database, player: PlayerKey, message_id: string) => {
    const { own, states } = await reader.submit(player);
    if (states.has(message_id) || own.some((each) => each.message_id === message_id)) return;
    const now_ms = clock().getTime();
    const messages = await getShared(player);
    const listed = await listForPlayer(database, player, messages, states, judge, now_ms);
    if (!listed.some((each) => each.message_id === message_id)) {
      throw notFound('Message not found');
    }
  };

  const write = async (
    database: Database,
    named: NamedPlayer,
    message_id: string,
    action: 'read' | 'claim' | 'delete',
  ) => {
    await requireAddressee(database, named, message_id);
    const { game_id, environment, player_id } = named;
    const player = { game_id, environment, player_id };
    const state = await storage.run(named, { players: 1 }, () =>
      writer.submit({ ...player, message_id, action }),
    );
    lastSeen.note(player);
    return state;
  };

  implement(api, contract.listMessages, async (call) => {
    const { player_id, limit, cursor } = call.query;
    const player = await guard.ownPlayer(call, player_id);
    const wish = localeWishOf(call);
    const text = await writeList(
      call.hot,
      { player, wish, limit, cursor },
      {
        shared: await getShared(player),
        of_player: await reader.submit(player),
        judge,
        now_ms: clock().getTime(),
      },
    );
    const etag = makeEtag(text);
    const body = matchesEtag(call.headers['if-none-match'], etag) ? undefined : new JsonText(text);
    // Only this caller may cache the answer, and must validate it each time.
    const fields = { ETag: etag, 'Cache-Control': 'private, no-cache', Vary: 'Accept-Language' };
    return new Reply<undefined>(body ? 200 : 304, body, fields);
  });

  implement(api, contract.readMessage, async (call) => {
    const player = await guard.ownPlayer(call, call.body.player_id);
    const { read_at } = await write(call.hot, player, call.params.message_id, 'read');
    return { success: true as const, read_at: read_at! };
  });

  implement(api, contract.claimMessage, async (call) => {
    const player = await guard.ownPlayer(call, call.body.player_id);
    const claim = await write(call.hot, player, call.params.message_id, 'claim');
    const { already_claimed, claimed_at, rewards } = claim;
    return new JsonText(
      `{"success":true,"already_claimed":${already_claimed},"claimed_at":${JSON.stringify(claimed_at)},"rewards":${rewards}}`,
    );
  });

  implement(api, contract.deleteMessage, async (call) => {
    const player = await guard.ownPlayer(call, call.query.player_id);
    await write(call.hot, player, call.params.message_id, 'delete');
  });
}
