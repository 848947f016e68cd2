import { MAX_LOGINS_OF_PLAYER } from '@overworld/contract/players/login-limits';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { conflict } from '../../../platform/errors.ts';
import type { ClaimedPlayers } from '../../../platform/players/claimed-players.ts';
import type { Merge } from '../../../platform/players/player-data-source.ts';
import { isOfPlayer, isOfTenant } from '../../../platform/players/player-key.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';
import type { StoredIdentity } from './link-store.ts';

type LockedIdentity = Pick<StoredIdentity, 'provider' | 'player_id'>;

/**
 * Moves the logins of the player whom the merge ends (`from`) to the other player (`player`). They count as
 * linked now, so none of them can erase the other player at once. The sessions of `from` are deleted, so its
 * devices log in again, as the other player. A repeated merge deletes the logins instead: the first one moved
 * those of the player who ended, and anybody may have logged in with that id since.
 * @returns the providers of the logins that moved.
 * @throws ApiError 409 if `player` would have too many logins, or two logins with the same provider (unless
 * that provider is `device`).
 */
export async function mergeLogins(
  tx: Queryable,
  { player, from, is_repeat }: Merge,
  claimed: ClaimedPlayers,
): Promise<string[]> {
  // Identities are locked before players, as in logins. An identity may be
  // linked between these two locks, so the identities are locked a second time.
  await lockIdentitiesOf(tx, player, from);
  await lockPlayers(tx, player, from);
  const identities = await lockIdentitiesOf(tx, player, from);
  const moved = is_repeat ? [] : identities.filter(({ player_id }) => player_id === from.player_id);
  if (moved.length > 0) requireRoom(identities);
  await tx.execute(
    is_repeat
      ? sql`DELETE FROM player_identities WHERE ${isOfPlayer(from)}`
      : sql`
          UPDATE player_identities SET player_id = ${player.player_id}, created_at = now()
          WHERE ${isOfPlayer(from)}`,
  );
  // `player` may have been merged into a claimed player once, and this merge ends that.
  for (const changed of [player, from]) await claimed.forgetOnCommit(tx, changed);
  return moved.map(({ provider }) => provider);
}

const ofBoth = (player: PlayerKey, from: PlayerKey): Sql => sql`
  ${isOfTenant(player)} AND player_id = ANY(${[player.player_id, from.player_id]}::text[])`;

/** Locks the identities of both players, so that logins of these players wait. */
const lockIdentitiesOf = (
  tx: Queryable,
  player: PlayerKey,
  from: PlayerKey,
): Promise<LockedIdentity[]> =>
  tx.query<LockedIdentity>(sql`
    SELECT provider, player_id FROM player_identities
    WHERE ${ofBoth(player, from)}
    ORDER BY game_id, environment, provider, subject
    FOR UPDATE`);

/** Locks both players, so that changes of their logins wait. */
async function lockPlayers(tx: Queryable, player: PlayerKey, from: PlayerKey): Promise<void> {
  await tx.execute(sql`
    SELECT FROM players
    WHERE ${ofBoth(player, from)}
    ORDER BY game_id, environment, player_id
    FOR NO KEY UPDATE`);
}

function requireRoom(identities: readonly LockedIdentity[]): void {
  const seen = new Set<string>();
  for (const { provider } of identities) {
    if (provider !== 'device' && seen.has(provider)) {
      throw conflict(
        `Both players have a login of ${provider}, and a player can have one: remove one first`,
      );
    }
    seen.add(provider);
  }
  if (identities.length > MAX_LOGINS_OF_PLAYER) {
    throw conflict(
      `Together the players have ${identities.length} logins, and a player can have at most ${MAX_LOGINS_OF_PLAYER}: remove some first`,
    );
  }
}
