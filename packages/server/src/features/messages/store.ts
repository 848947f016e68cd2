import type { Queryable } from '../../platform/database/database.ts';
import { selectCount } from '../../platform/database/select-count.ts';
import { sql } from '../../platform/database/sql.ts';
import { readList } from '../../platform/http/page.ts';
import type { PageQuery } from '../../platform/http/page.ts';
import { isOfPlayer, isOfTenant } from '../../platform/players/player-key.ts';
import type { PlayerKey, Tenant } from '../../platform/players/player-key.ts';
import type { Content } from './message.ts';

export const contentColumns = sql`message_id, title, text, translations, data::text AS data,
  rewards::text AS rewards, starts_at, ends_at`;

/** A message as members of the game see it. The members with JSON are JSON text. */
export interface StoredMessage extends Omit<Content, 'translations'> {
  player_id: string | null;
  audience: string | null;
  translations: string;
  reason: string;
  sent_at: string;
  created_by: string | null;
  recalled_at: string | null;
  /** True while the members of a segment of one time are being stored. */
  is_sending: boolean;
  member_count: number | null;
  members_at: string | null;
}

const storedColumns = sql`message_id, player_id, audience::text AS audience, is_sending,
  member_count, members_at, title, text, translations::text AS translations, data::text AS data, rewards::text AS rewards, reason, starts_at,
  ends_at, sent_at, created_by, recalled_at`;

export async function insertMessage(
  tx: Queryable,
  { game_id, environment }: Tenant,
  message: Omit<StoredMessage, 'recalled_at' | 'member_count' | 'members_at'>,
): Promise<void> {
  await tx.execute(sql`
    INSERT INTO messages
      (game_id, environment, message_id, player_id, audience, is_sending, title, text, translations,
       data, rewards, reason, starts_at, ends_at, sent_at, created_by)
    VALUES (${game_id}, ${environment}, ${message.message_id}, ${message.player_id},
            ${message.audience}, ${message.is_sending}, ${message.title}, ${message.text},
            ${message.translations}, ${message.data}, ${message.rewards}, ${message.reason},
            ${message.starts_at}, ${message.ends_at}, ${message.sent_at}, ${message.created_by})`);
}

/** @returns null if the environment has no such message. */
export const findMessage = (
  database: Queryable,
  tenant: Tenant,
  message_id: string,
): Promise<StoredMessage | null> =>
  database.queryOne<StoredMessage>(sql`
    SELECT ${storedColumns} FROM messages
    WHERE ${isOfTenant(tenant)} AND message_id = ${message_id}`);

/** Recalls a message; the first time stays. Waits for claims under way. */
export async function updateRecalled(
  tx: Queryable,
  tenant: Tenant,
  message_id: string,
): Promise<void> {
  await tx.execute(sql`
    UPDATE messages SET recalled_at = now(), is_sending = false
    WHERE ${isOfTenant(tenant)} AND message_id = ${message_id} AND recalled_at IS NULL`);
}

/** Counts the messages of a game that were sent by somebody. */
export const countMessages = (tx: Queryable, game_id: string): Promise<number> =>
  selectCount(tx, sql`messages WHERE game_id = ${game_id} AND NOT is_earned`);

const isOpen = sql`recalled_at IS NULL AND (ends_at IS NULL OR ends_at > now())`;

export const countOpenShared = (tx: Queryable, tenant: Tenant): Promise<number> =>
  selectCount(tx, sql`messages WHERE ${isOfTenant(tenant)} AND player_id IS NULL AND ${isOpen}`);

export const countOpenOfPlayer = (tx: Queryable, player: PlayerKey): Promise<number> =>
  selectCount(tx, sql`messages WHERE ${isOfPlayer(player)} AND ${isOpen} AND NOT is_earned`);

/** Lists the contents of these messages. */
export const listContents = (
  database: Queryable,
  tenant: Tenant,
  message_ids: readonly string[],
): Promise<Content[]> =>
  database.query<Content>(sql`
    SELECT ${contentColumns} FROM messages
    WHERE ${isOfTenant(tenant)} AND message_id = ANY(${[...message_ids]}::uuid[])`);

/** A message with the numbers of players who have done something with it. */
export interface CountedMessage extends StoredMessage {
  read_count: number;
  claimed_count: number;
  deleted_count: number;
}

interface ListQuery extends PageQuery {
  player_id?: string;
  audience?: 'player' | 'many';
}

/** Reads a page of messages, those sent last first. */
export async function readMessages(database: Queryable, tenant: Tenant, query: ListQuery) {
  const { player_id, audience } = query;
  const key = { created: 'time', message_id: 'uuid' } as const;
  const isChosen = sql`(${player_id}::text IS NULL OR player_id = ${player_id})
    AND (${audience}::text IS NULL OR (player_id IS NULL) = (${audience} = 'many'))`;
  const { page, ...rest } = await readList(database, query, key, (from, after, count) =>
    from.query<CountedMessage & { created: string }>(sql`
      SELECT listed.*, coalesce(read_count, 0) AS read_count,
             coalesce(claimed_count, 0) AS claimed_count, coalesce(deleted_count, 0) AS deleted_count
      FROM (
        SELECT ${storedColumns}, messages.sent_at::text AS created, messages.sent_at AS place
        FROM messages
        WHERE ${isOfTenant(tenant)} AND ${isChosen}
          AND (${after?.created}::timestamptz IS NULL OR (messages.sent_at, message_id) <
               (${after?.created}::timestamptz, ${after?.message_id}::uuid))
        ORDER BY messages.sent_at DESC, message_id DESC
        LIMIT ${count}
      ) AS listed
      LEFT JOIN LATERAL (
        SELECT count(read_at) AS read_count, count(claimed_at) AS claimed_count,
               count(deleted_at) AS deleted_count
        FROM message_states AS known
        WHERE ${isOfTenant(tenant)} AND known.message_id = listed.message_id
        OFFSET 0
      ) AS counted ON true
      ORDER BY place DESC, message_id DESC`),
  );
  return { page, ...rest };
}

/** A player who has done something with a message. */
export interface MessagePlayer {
  player_id: string;
  name: string | null;
  read_at: string | null;
  claimed_at: string | null;
  deleted_at: string | null;
}

const IN_STATE = {
  read: sql`read_at IS NOT NULL`,
  claimed: sql`claimed_at IS NOT NULL`,
  deleted: sql`deleted_at IS NOT NULL`,
};

/** Reads a page of the players behind a count, by their ids. */
export async function readMessagePlayers(
  database: Queryable,
  tenant: Tenant,
  message_id: string,
  query: PageQuery & { state: keyof typeof IN_STATE },
) {
  const { page, ...rest } = await readList(
    database,
    query,
    { player_id: 'text' },
    (from, after, count) =>
      from.query<MessagePlayer>(sql`
        SELECT listed.*, name
        FROM (
          SELECT player_id, read_at, claimed_at, deleted_at
          FROM message_states
          WHERE ${isOfTenant(tenant)} AND message_id = ${message_id} AND ${IN_STATE[query.state]}
            AND (${after?.player_id}::text IS NULL OR player_id > ${after?.player_id})
          ORDER BY player_id
          LIMIT ${count}
        ) AS listed
        LEFT JOIN LATERAL (
          SELECT ${playerName} AS name FROM players
          WHERE ${isOfTenant(tenant)} AND players.player_id = listed.player_id
          OFFSET 0
        ) AS known ON true
        ORDER BY player_id`),
  );
  return { players: page, ...rest };
}

/** SQL for the name of a player. */
export const playerName = sql`player_name(properties, (SELECT player_name_property FROM games WHERE id = players.game_id))`;
