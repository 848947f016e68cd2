import { randomUUID } from 'node:crypto';
import type { Audience } from '@overworld/contract/messages/message-fields';
import { MAX_OWN_MESSAGES, MAX_SHARED_MESSAGES } from '@overworld/contract/messages/message-limits';
import { insertAuditEntry } from '../../platform/audit.ts';
import type { Actor } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import type { DefinitionCache } from '../../platform/definition-cache.ts';
import { badRequest, conflict, notFound } from '../../platform/errors.ts';
import { lockGame } from '../../platform/game-lock.ts';
import { writeExactly } from '../../platform/json/exact-json.ts';
import { requireRoom } from '../../platform/limits/limits.ts';
import { lockPlayer } from '../../platform/players/player-lock.ts';
import { nameOfTenant } from '../../platform/players/player-key.ts';
import type { Tenant } from '../../platform/players/player-key.ts';
import { requireStats } from '../../platform/players/stat-conditions.ts';
import type { MemberFreezer } from './member-freezer.ts';
import { deleteMembers } from './members.ts';
import type { StoredAudience } from './message.ts';
import { requireKnownRewards } from './rewards.ts';
import type { RewardGivers } from './rewards.ts';
import { copyConditions } from './saved-segment.ts';
import type { FindSegment } from './saved-segment.ts';
import type { MessageContent, SentMessage } from './send-body.ts';
import {
  countMessages,
  countOpenOfPlayer,
  countOpenShared,
  findMessage,
  insertMessage,
  updateRecalled,
} from './store.ts';
import type { StoredMessage } from './store.ts';

export interface SendServices {
  /** The messages to many that servers keep in memory. */
  shared: DefinitionCache<unknown>;
  freezer: MemberFreezer;
  givers: RewardGivers;
  findSegment: FindSegment;
  /** The time of PostgreSQL. */
  clock: Clock;
}

/**
 * Sends a message as `sendMessage` does. Whoever sends one to the members of a segment waits a little for the
 * members, and otherwise gets a message that is being sent.
 * @param change Runs the change in its turn.
 */
export async function sendAndWait(
  database: Database,
  services: SendServices,
  tenant: Tenant,
  sent: SentMessage,
  sender: Sender,
  change: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<{ message: StoredMessage; is_new: boolean }> {
  const result = await change(() => sendMessage(database, services, tenant, sent, sender));
  if (!result.message.is_sending) return result;
  const { message_id } = result.message;
  await services.freezer.begin(database, { ...tenant, message_id });
  const message = (await findMessage(database, tenant, message_id)) ?? result.message;
  return { ...result, message };
}

/** The member or the key who sends or recalls. */
export interface Sender {
  actor: Actor;
  /** The server key; null for a member. */
  key_id: string | null;
}

/**
 * Sends a message, in one transaction with its entry in the audit log. A message whose id was sent before stays
 * as it is.
 * @throws ApiError 400 for a wrong reward, statistic or time, 403 at the limit of the game, 404 when the player or the
 * segment does not exist, 409 at a limit of the player or the environment.
 */
export async function sendMessage(
  database: Database,
  services: SendServices,
  tenant: Tenant,
  sent: SentMessage,
  sender: Sender,
): Promise<{ message: StoredMessage; is_new: boolean }> {
  const { shared, clock } = services;
  const now = clock().toISOString();
  if (sent.ends_at !== null && sent.ends_at <= now) {
    throw badRequest('ends_at must be in the future');
  }
  const message = {
    ...(await prepareMessage(services, tenant, sent, sender)),
    message_id: sent.id ?? randomUUID(),
    starts_at: sent.starts_at ?? now,
    ends_at: sent.ends_at,
    sent_at: now,
  };
  const result = await database.transaction(async (tx) => {
    await lockGame(tx, tenant.game_id);
    const sent_before = sent.id && (await findMessage(tx, tenant, sent.id));
    if (sent_before) return { message: sent_before, is_new: false };
    const stored = await storeMessage(tx, services, tenant, message, sent, sender);
    return { message: stored, is_new: true };
  });
  if (result.is_new && message.player_id === null) shared.evict(nameOfTenant(tenant));
  return result;
}

/** A message that is to be stored. */
type NewMessage = Omit<StoredMessage, 'recalled_at' | 'member_count' | 'members_at'>;

/**
 * Makes a message without its times from what was sent.
 * @throws ApiError 404 when the segment does not exist, 400 when it has other conditions than on players.
 */
export async function prepareMessage(
  { findSegment }: Pick<SendServices, 'findSegment'>,
  { game_id }: Tenant,
  content: MessageContent,
  { actor }: Sender,
): Promise<Omit<NewMessage, 'message_id' | 'starts_at' | 'ends_at' | 'sent_at'>> {
  const { to, title, text, translations, data, rewards, reason } = content;
  const audience = await storedAudience({ findSegment }, game_id, to);
  return {
    player_id: to.player_id ?? null,
    audience: audience && writeExactly(audience),
    is_sending: to.type === 'segment' && to.joiners === 'excluded',
    title,
    text,
    translations,
    data,
    rewards,
    reason,
    created_by: actor.account?.email ?? null,
  };
}

/** @throws ApiError 400 that names the first statistic or achievement that the game does not have. */
export async function requireSendable(
  tx: Queryable,
  givers: RewardGivers,
  game_id: string,
  { to, reward_list }: Pick<MessageContent, 'to' | 'reward_list'>,
): Promise<void> {
  await requireStats(tx, game_id, to.properties ?? [], 'to.properties');
  const placed = reward_list.map((reward, index) => ({ ...reward, place: `rewards[${index}]` }));
  await requireKnownRewards(tx, givers, game_id, placed);
}

/**
 * Stores a message, with its entry in the audit log, in a transaction that has locked the game.
 * @param details More members of the entry.
 * @throws ApiError as `sendMessage` does.
 */
export async function storeMessage(
  tx: Queryable,
  { givers, shared }: Pick<SendServices, 'givers' | 'shared'>,
  tenant: Tenant,
  message: NewMessage,
  { to, reward_list }: Pick<MessageContent, 'to' | 'reward_list'>,
  sender: Sender,
  details: Record<string, string> = {},
): Promise<StoredMessage> {
  const { player_id } = message;
  await requireSendable(tx, givers, tenant.game_id, { to, reward_list });
  await requireRoom(tx, tenant.game_id, 'messages', await countMessages(tx, tenant.game_id));
  if (player_id === null) {
    if ((await countOpenShared(tx, tenant)) >= MAX_SHARED_MESSAGES) throw tooManyShared();
    await shared.invalidateOnCommit(tx, nameOfTenant(tenant));
  } else {
    const player = { ...tenant, player_id };
    await lockPlayer(tx, player);
    if ((await countOpenOfPlayer(tx, player)) >= MAX_OWN_MESSAGES) throw tooManyOfPlayer();
  }
  const stored = { ...message, recalled_at: null, member_count: null, members_at: null };
  await insertMessage(tx, tenant, stored);
  if (sender.key_id === null || player_id === null) {
    await recordSending(tx, tenant, stored, sender, details);
  }
  return stored;
}

/** A message to a player that a key sends has no entry, because a game may send many of them. */
const recordSending = (
  tx: Queryable,
  { game_id, environment }: Tenant,
  { message_id, player_id, reason }: StoredMessage,
  { actor, key_id }: Sender,
  details: Record<string, string>,
): Promise<void> =>
  insertAuditEntry(tx, { actor, game_id }, 'send_message', message_id, {
    environment,
    ...details,
    ...(player_id === null ? {} : { player_id }),
    ...(reason === '' ? {} : { reason }),
    ...(key_id === null ? {} : { key_id }),
  });

/** Copies the conditions of a saved segment, so that a later change of the segment changes no message. */
export async function storedAudience(
  { findSegment }: Pick<SendServices, 'findSegment'>,
  game_id: string,
  { player_id: _player_id, ...to }: Audience,
): Promise<StoredAudience | null> {
  if (to.type === 'player') return null;
  const joiners = to.joiners ?? 'included';
  if (to.segment === undefined) return { ...to, joiners };
  return { ...(await copyConditions(findSegment, game_id, to)), joiners };
}

/**
 * Recalls a message. Claims under way end first, and no other one begins.
 * @throws ApiError 404 when the environment has no such message.
 */
export async function recallMessage(
  database: Database,
  shared: SendServices['shared'],
  tenant: Tenant,
  message_id: string,
  { actor, key_id }: Sender,
): Promise<StoredMessage> {
  const { game_id, environment } = tenant;
  const recalled = await database.transaction(async (tx) => {
    await lockGame(tx, game_id);
    const before = await findMessage(tx, tenant, message_id);
    if (before === null) throw notFound('Message not found');
    if (before.recalled_at !== null) return before;
    await updateRecalled(tx, tenant, message_id);
    if (before.member_count !== null) await deleteMembers(tx, { ...tenant, message_id });
    await shared.invalidateOnCommit(tx, nameOfTenant(tenant));
    const { player_id } = before;
    await insertAuditEntry(tx, { actor, game_id }, 'recall_message', message_id, {
      environment,
      ...(player_id === null ? {} : { player_id }),
      ...(key_id === null ? {} : { key_id }),
    });
    // The player may have been erased meanwhile, and the message with the player.
    return (await findMessage(tx, tenant, message_id)) ?? before;
  });
  shared.evict(nameOfTenant(tenant));
  return recalled;
}

const tooManyShared = () =>
  conflict(
    `The environment has ${MAX_SHARED_MESSAGES} messages to many players that have not ended: recall one first`,
  );

const tooManyOfPlayer = () =>
  conflict(
    `The player has ${MAX_OWN_MESSAGES} messages that have not ended: recall one first, or send with ends_at`,
  );
