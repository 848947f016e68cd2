import { INVITATION_LIFETIME_DAYS } from '@overworld/contract/games/invitations';
import type { createInvitation } from '@overworld/contract/games/invitations';
import type { Role, SuccessOf } from '@overworld/contract/operation';
import { hashToken, makeRandomToken } from '../../platform/auth/random-token.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { selectCount } from '../../platform/database/select-count.ts';
import { sql } from '../../platform/database/sql.ts';
import { tryLockGame } from '../../platform/game-lock.ts';
import { selectInvitationCount } from '../../platform/limits/use-store.ts';
import { isAfter } from '../../platform/http/page.ts';
import type { PagePosition, PageRange } from '../../platform/http/page.ts';

export type Invitation = SuccessOf<typeof createInvitation>;

/** An invitation, with its game. */
export interface GameInvitation extends Invitation {
  game_id: string;
  game_name: string;
}

const columns = sql`id, email, role, invited_by, created_at, expires_at`;

/** Lists up to `count` invitations of a game, the oldest first. */
export async function listInvitations(
  database: Queryable,
  game_id: string,
  { after, count }: PageRange,
): Promise<(Invitation & PagePosition)[]> {
  return database.query<Invitation & PagePosition>(sql`
    SELECT ${columns}, created_at::text AS created
    FROM invitations
    WHERE game_id = ${game_id} AND ${isAfter(sql`created_at, id`, 'oldest_first', after)}
    ORDER BY created_at, id
    LIMIT ${count}`);
}

/** Counts the valid invitations of a game to other addresses. */
export const countOtherInvitations = (
  tx: Queryable,
  game_id: string,
  email: string,
): Promise<number> =>
  selectCount(
    tx,
    sql`invitations WHERE game_id = ${game_id} AND expires_at > now()
      AND fold_text(email) <> fold_text(${email})`,
  );

/** Counts the invitations that a game has sent in the last 24 hours, including repeated ones. */
export async function countDailyInvitations(tx: Queryable, game_id: string): Promise<number> {
  const row = await tx.queryOne<{ count: number }>(
    sql`SELECT ${selectInvitationCount(game_id)} AS count`,
  );
  return row!.count;
}

/** Finds the role to which an address is invited; null when it is not invited. */
export async function findInvitedRole(
  tx: Queryable,
  game_id: string,
  email: string,
): Promise<Role | null> {
  const row = await tx.queryOne<{ role: Role }>(sql`
    SELECT role FROM invitations WHERE game_id = ${game_id} AND fold_text(email) = fold_text(${email})`);
  return row?.role ?? null;
}

/**
 * Invites an address, and replaces an earlier invitation of the address.
 * The link works once the mail is sent.
 */
export async function upsertInvitation(
  tx: Queryable,
  game_id: string,
  { email, role, invited_by }: Pick<Invitation, 'email' | 'role' | 'invited_by'>,
): Promise<Invitation> {
  const row = await tx.queryOne<Invitation>(sql`
    INSERT INTO invitations (game_id, email, role, invited_by, expires_at)
    VALUES (${game_id}, ${email}, ${role}, ${invited_by},
            now() + ${INVITATION_LIFETIME_DAYS}::integer * interval '1 day')
    ON CONFLICT (game_id, fold_text(email)) DO UPDATE SET
      email = EXCLUDED.email, role = EXCLUDED.role, invited_by = EXCLUDED.invited_by,
      token_hash = NULL, link_shown = false, created_at = EXCLUDED.created_at, expires_at = EXCLUDED.expires_at
    RETURNING ${columns}`);
  return row!;
}

/**
 * Makes the token of a link that a mail will contain.
 * @returns null when the invitation is gone or expired, or when its link was shown instead.
 */
export async function makeInvitationToken(
  database: Queryable,
  game_id: string,
  invitation_id: string,
): Promise<string | null> {
  const token = makeRandomToken();
  const updated = await database.execute(sql`
    UPDATE invitations SET token_hash = ${hashToken(token)}
    WHERE game_id = ${game_id} AND id = ${invitation_id} AND expires_at > now() AND NOT link_shown`);
  return updated === 1 ? token : null;
}

/** Makes the token of a link that the inviter will see. @returns null when the invitation has expired. */
export async function makeShownToken(
  tx: Queryable,
  game_id: string,
  invitation_id: string,
): Promise<string | null> {
  const token = makeRandomToken();
  const updated = await tx.execute(sql`
    UPDATE invitations SET token_hash = ${hashToken(token)}, link_shown = true
    WHERE game_id = ${game_id} AND id = ${invitation_id} AND expires_at > now()`);
  return updated === 1 ? token : null;
}

const gameInvitations = sql`
  SELECT invitations.id, email, role, invited_by, invitations.created_at, expires_at,
         game_id, games.name AS game_name
  FROM invitations
  JOIN games ON games.id = game_id`;

/** Finds the invitation of a valid token, or null. */
export async function findInvitationByToken(
  database: Queryable,
  token: string,
): Promise<GameInvitation | null> {
  return database.queryOne<GameInvitation>(sql`
    ${gameInvitations} WHERE token_hash = ${hashToken(token)} AND expires_at > now()`);
}

/** Finds an invitation of a game, or null. */
export async function findInvitation(
  database: Queryable,
  game_id: string,
  invitation_id: string,
): Promise<GameInvitation | null> {
  return database.queryOne<GameInvitation>(sql`
    ${gameInvitations} WHERE game_id = ${game_id} AND invitations.id = ${invitation_id}`);
}

/**
 * Uses up the token of an invitation. Locks the game until the transaction ends, because the caller counts
 * the game's members. The game is locked before the invitation, as in deletions.
 * @returns null when the token is no longer valid.
 */
export async function takeInvitation(
  tx: Queryable,
  game_id: string,
  token: string,
): Promise<{ link_shown: boolean } | null> {
  if (!(await tryLockGame(tx, game_id))) return null;
  return tx.queryOne<{ link_shown: boolean }>(sql`
    DELETE FROM invitations
    WHERE game_id = ${game_id} AND token_hash = ${hashToken(token)} AND expires_at > now()
    RETURNING link_shown`);
}

/** Deletes an invitation. @returns the deleted invitation, or null when the game has no such invitation. */
export async function deleteInvitation(
  tx: Queryable,
  game_id: string,
  invitation_id: string,
): Promise<Invitation | null> {
  return tx.queryOne<Invitation>(sql`
    DELETE FROM invitations WHERE game_id = ${game_id} AND id = ${invitation_id}
    RETURNING ${columns}`);
}

/**
 * Deletes invitations that expired more than a month ago. Until then they are listed and can be sent
 * again.
 */
export async function deleteOldInvitations(database: Queryable): Promise<void> {
  await database.execute(sql`
    DELETE FROM invitations WHERE expires_at < now() - interval '30 days'`);
}

/**
 * Finds the number of seconds after which an account that has sent `limit`
 * invitations in an hour may invite again.
 * @returns null when it may invite now.
 */
export async function findInvitationDelay(
  tx: Queryable,
  account_id: string,
  limit: number,
): Promise<number | null> {
  const row = await tx.queryOne<{ seconds: number }>(sql`
    SELECT ceil(extract(epoch FROM at + interval '1 hour' - now()))::integer AS seconds
    FROM audit_log
    WHERE account_id = ${account_id} AND action = 'invite_member'
    ORDER BY id DESC
    OFFSET ${limit - 1}::integer LIMIT 1`);
  return row !== null && row.seconds > 0 ? row.seconds : null;
}
