import { randomInt } from 'node:crypto';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { isOfTenant } from '../../../platform/players/player-key.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';

/** The numbers that are kept in memory, some 100 bytes each. */
const MAX_KEPT = 500_000;
/** A transaction that moves the last events of a merge takes less time. */
const MAX_MOVE = sql`interval '1 day'`;
const SEED_RANGE = 2 ** 47;

/** Makes the row of an environment, if there is none. @returns the seed of the hashes of its sessions, as text. */
export async function openTenant(tx: Queryable, { game_id, environment }: Tenant): Promise<string> {
  await tx.execute(sql`
    INSERT INTO sealed_tenants (game_id, environment, session_seed)
    VALUES (${game_id}, ${environment}, ${randomInt(SEED_RANGE)}::bigint)
    ON CONFLICT (game_id, environment) DO NOTHING`);
  const row = await tx.queryOne<{ seed: string }>(sql`
    SELECT session_seed::text AS seed FROM sealed_tenants
    WHERE game_id = ${game_id} AND environment = ${environment}`);
  return row!.seed;
}

/** The events of a day have changed while they were sealed, or their players were merged at that time. */
export class DayChanged extends Error {}

/**
 * Makes a reader of the numbers of players, for one day. A number in memory stays right, because a merge gives it
 * to the player who stays. An erasure, and new events of another player who has the id of one who ended, unseal the
 * day.
 * @param joinIngest Keeps players from being merged or erased until the transaction ends.
 */
export function createPlayerDictionary(
  database: Database,
  tenant: Tenant,
  joinIngest: (tx: Queryable) => Promise<void>,
) {
  const kept = new Map<string, number>();
  const listMissing = (player_ids: Iterable<string | null>) => {
    const missing = new Set<string>();
    for (const id of player_ids) if (id !== null && !kept.has(id)) missing.add(id);
    return missing;
  };
  return {
    /**
     * Returns the numbers of players, and numbers new ones.
     * @param player_ids The players of some events; null for an event without one.
     * @param read_at The time at which their events were read, as PostgreSQL writes it.
     * @param isUnchanged Tells whether the players still have these events. A new number is stored only if they do,
     * so that none names a player who was erased.
     * @throws DayChanged
     */
    async numbersOf(
      player_ids: readonly (string | null)[],
      read_at: string,
      isUnchanged: (tx: Queryable) => Promise<boolean>,
    ): Promise<ReadonlyMap<string, number>> {
      let missing = listMissing(player_ids);
      if (missing.size > 0) {
        if (kept.size + missing.size > MAX_KEPT) {
          kept.clear();
          missing = listMissing(player_ids);
        }
        const found = await database.transaction(async (tx) => {
          await joinIngest(tx);
          if (!(await isUnchanged(tx))) throw new DayChanged();
          return findNumbers(tx, tenant, [...missing], read_at);
        });
        for (const { player_id, number } of found) kept.set(player_id, number);
      }
      return kept;
    },
  };
}

export type PlayerDictionary = ReturnType<typeof createPlayerDictionary>;

interface Numbered {
  player_id: string;
  number: number;
}

/** Finds or makes the numbers of the players to whom events with these ids belong. */
async function findNumbers(
  tx: Queryable,
  tenant: Tenant,
  player_ids: readonly string[],
  read_at: string,
): Promise<Numbered[]> {
  // One transaction at a time gives numbers.
  const row = await tx.queryOne<{ next_number: number }>(sql`
    SELECT next_number FROM sealed_tenants WHERE ${isOfTenant(tenant)} FOR UPDATE`);
  const merges = await tx.query<{ from: string; owner: string; is_over: boolean }>(sql`
    SELECT from_player_id AS from, player_id AS owner, completed_at IS NOT NULL AS is_over
    FROM player_merges
    WHERE ${isOfTenant(tenant)} AND from_player_id = ANY(${player_ids}::text[])
      AND (completed_at IS NULL OR completed_at > ${read_at}::timestamptz - ${MAX_MOVE})`);
  // The events of such a player may have moved since they were read, or have been read after that.
  if (merges.some(({ is_over }) => is_over)) throw new DayChanged();
  const owner_of = new Map(merges.map(({ from, owner }) => [from, owner]));
  const owners = new Set(player_ids.map((id) => owner_of.get(id) ?? id));
  const stored = await tx.query<Numbered>(sql`
    SELECT player_id, min(number) AS number FROM sealed_players
    WHERE ${isOfTenant(tenant)} AND player_id = ANY(${[...owners]}::text[])
    GROUP BY player_id`);
  const numbers = new Map(stored.map(({ player_id, number }) => [player_id, number]));
  const made = new Map<string, number>();
  let next = row!.next_number;
  for (const owner of owners) {
    if (!numbers.has(owner)) made.set(owner, next++);
  }
  if (made.size > 0) await insertNumbers(tx, tenant, made, next);
  return player_ids.map((player_id) => {
    const owner = owner_of.get(player_id) ?? player_id;
    return { player_id, number: numbers.get(owner) ?? made.get(owner)! };
  });
}

async function insertNumbers(
  tx: Queryable,
  tenant: Tenant,
  made: ReadonlyMap<string, number>,
  next_number: number,
): Promise<void> {
  await tx.execute(sql`
    INSERT INTO sealed_players (game_id, environment, player_id, number)
    SELECT ${tenant.game_id}::uuid, ${tenant.environment}::environment, player_id, number
    FROM unnest(${[...made.keys()]}::text[], ${[...made.values()]}::bigint[])
      AS made (player_id, number)`);
  await tx.execute(sql`
    UPDATE sealed_tenants SET next_number = ${next_number}::bigint WHERE ${isOfTenant(tenant)}`);
}
