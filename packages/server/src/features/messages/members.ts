import { createHash } from 'node:crypto';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { isOfTenant } from '../../platform/players/player-key.ts';
import type { PlayerKey, Tenant } from '../../platform/players/player-key.ts';
import { isInAudience } from './audience.ts';
import type { StoredAudience } from './message.ts';

/** The bytes of a member. */
const HASH_BYTES = 8;
/** In this part are the players who ended while the members of a message are being stored. */
const ENDED_PART = -1;
const NOBODY = Buffer.alloc(HASH_BYTES);

const hashOf = (player_id: string): Buffer =>
  createHash('sha256').update(player_id).digest().subarray(0, HASH_BYTES);

/** So the members of a message to a million players have 500 bytes in each part. */
const PARTS = 2 ** 14;
const partOf = (hash: Buffer): number => hash.readUInt16BE(0) >> 2;

/** An arbitrary number that distinguishes these advisory locks from others. */
const MEMBER_LOCKS = 11_921;

const lockOfGame = (game_id: string): Sql =>
  sql`hashtextextended(${game_id}::uuid::text, ${MEMBER_LOCKS})`;

/**
 * Locks the members of a game's messages until the transaction ends: erasures and merges under way end first, and
 * no other one touches members.
 */
export const lockMembers = (tx: Queryable, game_id: string): Promise<number> =>
  tx.execute(sql`SELECT pg_advisory_xact_lock(${lockOfGame(game_id)})`);

const shareMembers = (tx: Queryable, game_id: string): Promise<number> =>
  tx.execute(sql`SELECT pg_advisory_xact_lock_shared(${lockOfGame(game_id)})`);

/** A message to many. */
export interface MessageKey extends Tenant {
  message_id: string;
}

/** Stores the members of a segment as they are when the statement begins. @returns the number of members. */
export async function insertMembers(
  tx: Queryable,
  { game_id, environment, message_id }: MessageKey,
  audience: StoredAudience,
): Promise<number> {
  const row = await tx.queryOne<{ count: number }>(sql`
    WITH hashed AS (
      SELECT substr(sha256(convert_to(player_id, 'UTF8')), 1, 8) AS hash
      FROM players
      WHERE ${isInAudience({ game_id, environment }, audience)}
      OFFSET 0
    ), parts AS (
      SELECT ((get_byte(hash, 0) << 8 | get_byte(hash, 1)) >> 2)::smallint AS part,
             string_agg(hash, ''::bytea) AS members, count(*) AS count
      FROM hashed
      GROUP BY part
    ), stored AS (
      INSERT INTO messaged_members (game_id, environment, part, message_id, members)
      SELECT ${game_id}, ${environment}, part, ${message_id}, members FROM parts
    )
    SELECT coalesce(sum(count), 0)::bigint AS count FROM parts`);
  return row!.count;
}

/** Finds the messages of whose stored members the player is one. */
export async function listMemberships(
  database: Queryable,
  player: PlayerKey,
  message_ids: readonly string[],
): Promise<Set<string>> {
  if (message_ids.length === 0) return new Set();
  const hash = hashOf(player.player_id);
  const rows = await database.query<{ message_id: string }>(sql`
    SELECT message_id FROM messaged_members
    WHERE ${isOfPart(player, hash)} AND message_id = ANY(${[...message_ids]}::uuid[])
      AND ${placeOf(hash)} > 0`);
  return new Set(rows.map(({ message_id }) => message_id));
}

const isOfPart = (tenant: Tenant, hash: Buffer): Sql =>
  sql`${isOfTenant(tenant)} AND part = ${partOf(hash)}::smallint`;

const placeOf = (hash: Buffer): Sql => sql`position(${hash}::bytea IN members)`;

/** Takes an erased player from the members of messages, also of one that is being sent. */
export async function eraseMemberships(tx: Queryable, player: PlayerKey): Promise<void> {
  await shareMembers(tx, player.game_id);
  const hash = hashOf(player.player_id);
  await cutMember(tx, player, hash);
  await noteEnd(tx, player, hash, NOBODY);
}

/** Makes the player who stays a member of the messages of which only the player who ends is one. */
export async function mergeMemberships(
  tx: Queryable,
  player: PlayerKey,
  from: PlayerKey,
): Promise<void> {
  await shareMembers(tx, player.game_id);
  const [hash, ended] = [hashOf(player.player_id), hashOf(from.player_id)];
  for (const message_id of await cutMember(tx, from, ended)) {
    await addMember(tx, { ...player, message_id }, hash);
  }
  await noteEnd(tx, player, ended, hash);
}

/** @returns the messages of which the player was a member, of all messages or of one. */
async function cutMember(
  tx: Queryable,
  tenant: Tenant,
  hash: Buffer,
  of_one: string | null = null,
): Promise<string[]> {
  const cut = await tx.query<{ message_id: string }>(sql`
    UPDATE messaged_members
    SET members = substr(members, 1, ${placeOf(hash)} - 1) || substr(members, ${placeOf(hash)} + ${HASH_BYTES}::integer)
    WHERE ${isOfPart(tenant, hash)} AND ${placeOf(hash)} > 0
      AND (${of_one}::uuid IS NULL OR message_id = ${of_one})
    RETURNING message_id`);
  return cut.map(({ message_id }) => message_id).toSorted();
}

const addMember = (
  tx: Queryable,
  { game_id, environment, message_id }: MessageKey,
  hash: Buffer,
): Promise<number> =>
  tx.execute(sql`
    INSERT INTO messaged_members AS known (game_id, environment, part, message_id, members)
    VALUES (${game_id}, ${environment}, ${partOf(hash)}::smallint, ${message_id}, ${hash}::bytea)
    ON CONFLICT (game_id, environment, part, message_id) DO UPDATE
    SET members = known.members || EXCLUDED.members
    WHERE position(EXCLUDED.members IN known.members) = 0`);

/** Notes for the messages that are being sent that a player has ended. */
const noteEnd = (tx: Queryable, tenant: Tenant, ended: Buffer, stays: Buffer): Promise<number> =>
  tx.execute(sql`
    INSERT INTO messaged_members AS known (game_id, environment, part, message_id, members)
    SELECT game_id, environment, ${ENDED_PART}::smallint, message_id,
           ${Buffer.concat([ended, stays])}::bytea
    FROM messages
    WHERE ${isOfTenant(tenant)} AND is_sending
    ORDER BY message_id
    ON CONFLICT (game_id, environment, part, message_id) DO UPDATE
    SET members = known.members || EXCLUDED.members`);

/** Forgets the players who ended before the members are stored. */
export const forgetEnded = (tx: Queryable, message: MessageKey): Promise<number> =>
  tx.execute(sql`
    DELETE FROM messaged_members
    WHERE ${isOfTenant(message)} AND part = ${ENDED_PART}::smallint
      AND message_id = ${message.message_id}`);

/** Takes those who ended meanwhile from the stored members of a message. The caller holds `lockMembers`. */
export async function removeEnded(tx: Queryable, message: MessageKey): Promise<void> {
  const row = await tx.queryOne<{ members: Buffer }>(sql`
    SELECT members FROM messaged_members
    WHERE ${isOfTenant(message)} AND part = ${ENDED_PART}::smallint
      AND message_id = ${message.message_id}`);
  const ended = row?.members ?? NOBODY.subarray(0, 0);
  for (let at = 0; at < ended.length; at += 2 * HASH_BYTES) {
    const left = ended.subarray(at, at + HASH_BYTES);
    const stays = ended.subarray(at + HASH_BYTES, at + 2 * HASH_BYTES);
    const cut = await cutMember(tx, message, left, message.message_id);
    if (cut.length > 0 && !stays.equals(NOBODY)) await addMember(tx, message, stays);
  }
  await forgetEnded(tx, message);
}

/** Deletes the members of a message that nobody has any more. */
export const deleteMembers = (tx: Queryable, message: MessageKey): Promise<number> =>
  // The index begins with the parts.
  tx.execute(sql`
    DELETE FROM messaged_members
    WHERE ${isOfTenant(message)} AND message_id = ${message.message_id}
      AND part = ANY(ARRAY(SELECT generate_series(${ENDED_PART}::integer, ${PARTS - 1}::integer))::smallint[])`);
