import type { updateMember } from '@overworld/contract/games/members';
import type { Role, SuccessOf } from '@overworld/contract/operation';
import type { Queryable } from '../../platform/database/database.ts';
import { selectCount } from '../../platform/database/select-count.ts';
import { sql } from '../../platform/database/sql.ts';
import { isAfter } from '../../platform/http/page.ts';
import type { PagePosition, PageRange } from '../../platform/http/page.ts';

export type Member = SuccessOf<typeof updateMember>;

/** Lists up to `count` members of a game, in the order in which they joined. */
export async function listMembers(
  database: Queryable,
  game_id: string,
  { after, count }: PageRange,
): Promise<(Omit<Member, 'account_id'> & PagePosition)[]> {
  return database.query(sql`
    SELECT account_id AS id, email, role, game_members.created_at AS joined_at,
           game_members.created_at::text AS created
    FROM game_members
    JOIN accounts ON accounts.id = account_id
    WHERE game_id = ${game_id}
      AND ${isAfter(sql`game_members.created_at, account_id`, 'oldest_first', after)}
    ORDER BY game_members.created_at, account_id
    LIMIT ${count}`);
}

export async function findMember(
  database: Queryable,
  game_id: string,
  account_id: string,
): Promise<Member | null> {
  return database.queryOne<Member>(sql`
    SELECT account_id, email, role, game_members.created_at AS joined_at
    FROM game_members
    JOIN accounts ON accounts.id = account_id
    WHERE game_id = ${game_id} AND account_id = ${account_id}`);
}

export async function hasMember(
  database: Queryable,
  game_id: string,
  email: string,
): Promise<boolean> {
  const row = await database.queryOne(sql`
    SELECT FROM game_members
    JOIN accounts ON accounts.id = account_id
    WHERE game_id = ${game_id} AND fold_text(email) = fold_text(${email})`);
  return row !== null;
}

export const countOwners = (tx: Queryable, game_id: string): Promise<number> =>
  selectCount(tx, sql`game_members WHERE game_id = ${game_id} AND role = 'owner'`);

export const countMembers = (tx: Queryable, game_id: string): Promise<number> =>
  selectCount(tx, sql`game_members WHERE game_id = ${game_id}`);

/** Inserts a member. An account that is already a member keeps its role, also if it leaves the group that gave it. */
export async function insertMember(
  tx: Queryable,
  game_id: string,
  account_id: string,
  role: Role,
): Promise<void> {
  await tx.execute(sql`
    INSERT INTO game_members (game_id, account_id, role)
    VALUES (${game_id}, ${account_id}, ${role})
    ON CONFLICT (game_id, account_id) DO UPDATE SET from_groups = false`);
}

export async function updateRole(
  tx: Queryable,
  game_id: string,
  account_id: string,
  role: Role,
): Promise<void> {
  await tx.execute(sql`
    UPDATE game_members SET role = ${role}
    WHERE game_id = ${game_id} AND account_id = ${account_id}`);
}

export async function deleteMember(
  tx: Queryable,
  game_id: string,
  account_id: string,
): Promise<void> {
  await tx.execute(sql`
    DELETE FROM game_members WHERE game_id = ${game_id} AND account_id = ${account_id}`);
}
