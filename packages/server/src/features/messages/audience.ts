import { createHash } from 'node:crypto';
import { normalizeTag } from '@overworld/contract/players/tags';
import type { Queryable } from '../../platform/database/database.ts';
import { joinSql, sql } from '../../platform/database/sql.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { writeExactly } from '../../platform/json/exact-json.ts';
import { isOfPlayer, isOfTenant } from '../../platform/players/player-key.ts';
import type { PlayerKey, Tenant } from '../../platform/players/player-key.ts';
import type { TraitNeeds, Traits } from '../../platform/players/traits.ts';
import { toSql } from '../../platform/property-conditions.ts';
import type { StoredAudience } from './message.ts';

/** Judges the conditions of segments as remote config does. */
export interface SegmentJudge {
  /** Tells whether the conditions, as `parseExactly` reads them, hold for a player. */
  matches(conditions: StoredAudience, traits: Traits): boolean;
  /** Reads the tags of a player, and the properties and statistics that are needed. */
  getTraits(database: Queryable, player: PlayerKey, needs: TraitNeeds): Promise<Traits>;
}

/** SQL that is true for the players of the environment who meet the conditions now. */
export function isInAudience(tenant: Tenant, audience: StoredAudience): Sql {
  const { has_tags = [], lacks_tags = [], properties = [] } = audience;
  const text = writeExactly(properties);
  return joinSql(
    [
      isOfTenant(tenant),
      ...(has_tags.length === 0 ? [] : [sql`tags @> ${has_tags.map(normalizeTag)}::text[]`]),
      ...(lacks_tags.length === 0
        ? []
        : [sql`NOT tags && ${lacks_tags.map(normalizeTag)}::text[]`]),
      ...toSql({ filter: properties, text, path: [] }),
    ],
    ' AND ',
  );
}

/** An arbitrary number that distinguishes these advisory locks from others. */
const MEMBER_LOCKS = 11_921;

const lockOfGame = (game_id: string): Sql =>
  sql`hashtextextended(${game_id}::uuid::text, ${MEMBER_LOCKS})`;

/**
 * Stores the members of a segment as they are now. Erasures of the game wait meanwhile, until the transaction ends.
 * @returns the number of members.
 */
export async function insertMembers(
  tx: Queryable,
  tenant: Tenant,
  message_id: string,
  audience: StoredAudience,
): Promise<number> {
  const { game_id, environment } = tenant;
  await tx.execute(sql`SELECT pg_advisory_xact_lock(${lockOfGame(game_id)})`);
  const row = await tx.queryOne<{ count: number }>(sql`
    WITH hashed AS (
      SELECT substr(sha256(convert_to(${message_id}::text || ' ' || player_id, 'UTF8')), 1, 8) AS hash
      FROM players
      WHERE ${isInAudience(tenant, audience)}
    ), stored AS (
      INSERT INTO message_members (game_id, environment, message_id, part, members)
      SELECT ${game_id}, ${environment}, ${message_id}, get_byte(hash, 0), string_agg(hash, ''::bytea)
      FROM hashed
      GROUP BY get_byte(hash, 0)
    )
    SELECT count(*) AS count FROM hashed`);
  return row!.count;
}

const hashOf = (message_id: string, player_id: string): Buffer =>
  createHash('sha256').update(`${message_id} ${player_id}`).digest().subarray(0, 8);

/** Finds the messages of whose members, as they were at the time of sending, the player is one. */
export async function listMemberships(
  database: Queryable,
  player: PlayerKey,
  message_ids: readonly string[],
): Promise<Set<string>> {
  if (message_ids.length === 0) return new Set();
  const hashes = message_ids.map((message_id) => hashOf(message_id, player.player_id));
  const rows = await database.query<{ message_id: string }>(sql`
    SELECT message_id
    FROM unnest(${[...message_ids]}::uuid[], ${hashes.map((hash) => hash[0])}::smallint[],
                ${hashes.map((hash) => hash.toString('hex'))}::text[]) AS asked (message_id, part, hash)
    CROSS JOIN LATERAL (
      SELECT FROM message_members AS stored
      WHERE ${isOfTenant(player)} AND stored.message_id = asked.message_id
        AND stored.part = asked.part AND position(decode(hash, 'hex') IN members) > 0
      OFFSET 0
    ) AS found`);
  return new Set(rows.map(({ message_id }) => message_id));
}

/** Lists the messages of the environment that have the members of the time of sending. */
const listWithMembers = async (tx: Queryable, tenant: Tenant): Promise<string[]> => {
  const rows = await tx.query<{ message_id: string }>(sql`
    SELECT message_id FROM messages
    WHERE ${isOfTenant(tenant)} AND player_id IS NULL AND member_count IS NOT NULL
    ORDER BY message_id`);
  return rows.map(({ message_id }) => message_id);
};

/** Takes an erased player from the members of messages, also of one that is being sent. */
export async function eraseMemberships(tx: Queryable, player: PlayerKey): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock_shared(${lockOfGame(player.game_id)})`);
  const listed = await listWithMembers(tx, player);
  for (const message_id of await listMemberships(tx, player, listed)) {
    await cutMember(tx, player, message_id);
  }
}

/** Makes the player who stays a member of the messages of which only the player who ends is one. */
export async function mergeMemberships(
  tx: Queryable,
  player: PlayerKey,
  from: PlayerKey,
): Promise<void> {
  const listed = await listWithMembers(tx, from);
  const ended = await listMemberships(tx, from, listed);
  const known = await listMemberships(tx, player, [...ended]);
  for (const message_id of ended) {
    await cutMember(tx, from, message_id);
    if (!known.has(message_id)) await addMember(tx, player, message_id);
  }
}

async function cutMember(tx: Queryable, player: PlayerKey, message_id: string): Promise<void> {
  const hash = hashOf(message_id, player.player_id);
  const place = sql`position(decode(${hash.toString('hex')}, 'hex') IN members)`;
  await tx.execute(sql`
    UPDATE message_members
    SET members = substr(members, 1, ${place} - 1) || substr(members, ${place} + 8)
    WHERE ${isOfTenant(player)} AND message_id = ${message_id} AND part = ${hash[0]}
      AND ${place} > 0`);
}

async function addMember(tx: Queryable, player: PlayerKey, message_id: string): Promise<void> {
  const hash = hashOf(message_id, player.player_id);
  await tx.execute(sql`
    INSERT INTO message_members AS known (game_id, environment, message_id, part, members)
    VALUES (${player.game_id}, ${player.environment}, ${message_id}, ${hash[0]},
            decode(${hash.toString('hex')}, 'hex'))
    ON CONFLICT (game_id, environment, message_id, part) DO UPDATE
    SET members = known.members || EXCLUDED.members`);
}

/** Finds when the player was first named; null for a player who does not exist. */
export async function findFirstSeen(
  database: Queryable,
  player: PlayerKey,
): Promise<string | null> {
  const row = await database.queryOne<{ first_seen_at: string }>(
    sql`SELECT first_seen_at FROM players WHERE ${isOfPlayer(player)}`,
  );
  return row?.first_seen_at ?? null;
}
