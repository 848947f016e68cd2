import { ROLES } from '@overworld/contract/operation';
import type { Role } from '@overworld/contract/operation';
import type { Actor } from '../../platform/audit.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { selectCount } from '../../platform/database/select-count.ts';
import { sql } from '../../platform/database/sql.ts';
import { ApiError } from '../../platform/errors.ts';
import { changeGame } from '../../platform/game-change.ts';
import type { RecordChange } from '../../platform/game-change.ts';
import { requireRoom } from '../../platform/limits/limits.ts';
import type { GroupRole } from '../../platform/staff-login-settings.ts';

/** Finds the role that the groups give in each game: the highest one. */
export function rolesOf(
  groups: readonly string[],
  group_roles: readonly GroupRole[],
): Map<string, Role> {
  const roles = new Map<string, Role>();
  for (const { group, role, game_id } of group_roles) {
    const known = roles.get(game_id);
    const isHigher = known === undefined || ROLES.indexOf(role) > ROLES.indexOf(known);
    if (groups.includes(group) && isHigher) roles.set(game_id, role);
  }
  return roles;
}

/**
 * Gives an account the roles of its groups, and takes those that its groups give no more. Memberships that were
 * given by hand stay as they are, and the last owner of a game stays owner. A game with as many members as it may
 * have gets no more.
 * @param warn Gets a sentence about each role that was not given.
 */
export async function applyGroupRoles(
  database: Database,
  account: { account_id: string; email: string },
  roles: ReadonlyMap<string, Role>,
  ip: string,
  warn: (sentence: string) => void,
): Promise<void> {
  const { account_id } = account;
  const known = await database.query<{ game_id: string; role: Role; from_groups: boolean }>(sql`
    SELECT game_id, role, from_groups FROM game_members
    WHERE account_id = ${account_id} AND (from_groups OR game_id = ANY(${[...roles.keys()]}::uuid[]))`);
  const before = new Map(known.map(({ game_id, role }) => [game_id, role]));
  const byHand = new Set(known.filter((member) => !member.from_groups).map((m) => m.game_id));
  const changed = [...new Set([...before.keys(), ...roles.keys()])]
    .filter((game_id) => !byHand.has(game_id) && before.get(game_id) !== roles.get(game_id))
    .sort();
  const actor: Actor = { account, ip };
  for (const game_id of changed) {
    const wanted = roles.get(game_id) ?? null;
    await changeGame(database, { game_id, actor }, (tx, record) =>
      applyRole(tx, { game_id, ...account }, wanted, record),
    ).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      // The settings may name a game that was deleted.
      if (error.status === 404) return;
      if (error.status !== 403) throw error;
      warn(`${account.email} gets no role by a group in the game ${game_id}: ${error.message}`);
    });
  }
}

async function applyRole(
  tx: Queryable,
  member: { game_id: string; account_id: string; email: string },
  wanted: Role | null,
  record: RecordChange,
): Promise<void> {
  const { game_id, account_id, email } = member;
  const known = await tx.queryOne<{ role: Role; from_groups: boolean; is_last_owner: boolean }>(sql`
    SELECT role, from_groups,
           role = 'owner' AND NOT EXISTS (
             SELECT FROM game_members AS others
             WHERE others.game_id = ${game_id} AND others.role = 'owner'
               AND others.account_id <> ${account_id}) AS is_last_owner
    FROM game_members
    WHERE game_id = ${game_id} AND account_id = ${account_id}`);
  if (known === null) {
    if (wanted === null) return;
    const members = await selectCount(tx, sql`game_members WHERE game_id = ${game_id}`);
    await requireRoom(tx, game_id, 'members', members);
    await tx.execute(sql`
      INSERT INTO game_members (game_id, account_id, role, from_groups)
      VALUES (${game_id}, ${account_id}, ${wanted}, true)`);
    await record('join_by_group', email, { account_id, role: wanted });
    return;
  }
  if (!known.from_groups || known.role === wanted || known.is_last_owner) return;
  const by_group = true;
  if (wanted === null) {
    await tx.execute(sql`
      DELETE FROM game_members WHERE game_id = ${game_id} AND account_id = ${account_id}`);
    await record('remove_member', email, { account_id, role: known.role, by_group });
    return;
  }
  await tx.execute(sql`
    UPDATE game_members SET role = ${wanted}
    WHERE game_id = ${game_id} AND account_id = ${account_id}`);
  await record('update_member', email, { account_id, from: known.role, to: wanted, by_group });
}
