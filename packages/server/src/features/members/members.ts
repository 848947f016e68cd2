import type { Role, TokenRole } from '@overworld/contract/operation';
import type { Actor } from '../../platform/audit.ts';
import { getRole, requireRole } from '../../platform/auth/accounts.ts';
import type { AccountCaller } from '../../platform/auth/accounts.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { conflict, notFound } from '../../platform/errors.ts';
import { changeGame } from '../../platform/game-change.ts';
import { countOwners, deleteMember, findMember, updateRole } from './member-store.ts';
import type { Member } from './member-store.ts';

/** The member of a game who is to be changed, and the caller. */
interface MemberChange {
  game_id: string;
  account_id: string;
  caller: AccountCaller;
  actor: Actor;
}

/**
 * Revokes API keys within a transaction that changes members.
 * @returns a function that the caller must call after the commit.
 * @throws ApiError 404 when one of the keys does not belong to the game, 403 when the role is too low.
 */
export type RevokeApiKeys = (
  tx: Queryable,
  game_id: string,
  key_ids: readonly string[],
  editor: { role: TokenRole; actor: Actor },
) => Promise<() => void>;

/**
 * Gives a member another role. Changes to the members of a game run one after the other. Each change is
 * checked against the roles as they are after the previous change.
 * @throws ApiError 403 when the caller's role is too low, 404 when the account is not a member, 409 when
 * the member is the only owner.
 */
export async function changeRole(
  database: Database,
  { game_id, account_id, caller, actor }: MemberChange,
  role: Role,
): Promise<Member> {
  return changeGame(database, { game_id, actor }, async (tx, record) => {
    const callerRole = await getRole(tx, caller, game_id, 'admin');
    if (role === 'owner') requireRole(callerRole, 'owner');
    const member = await getMember(tx, game_id, account_id);
    if (member.role === 'owner') requireRole(callerRole, 'owner');
    if (member.role === role) return member;
    if (member.role === 'owner') await refuseLastOwner(tx, game_id);
    await updateRole(tx, game_id, account_id, role);
    await record('update_member', member.email, { account_id, from: member.role, to: role });
    return { ...member, role };
  });
}

/**
 * Removes a member, who may be the caller, and revokes the given API keys.
 * @throws ApiError the errors of `changeRole` and `revokeApiKeys`.
 */
export async function removeMember(
  database: Database,
  { game_id, account_id, caller, actor }: MemberChange,
  { key_ids, revokeApiKeys }: { key_ids: readonly string[]; revokeApiKeys: RevokeApiKeys },
): Promise<void> {
  const evictKeys = await changeGame(database, { game_id, actor }, async (tx, record) => {
    const callerRole = await getRole(tx, caller, game_id, 'viewer');
    const isOwn = account_id.toLowerCase() === caller.account_id;
    if (!isOwn) requireRole(callerRole, 'admin');
    const member = await getMember(tx, game_id, account_id);
    if (!isOwn && member.role === 'owner') requireRole(callerRole, 'owner');
    if (member.role === 'owner') await refuseLastOwner(tx, game_id);
    await deleteMember(tx, game_id, account_id);
    await record(isOwn ? 'leave_game' : 'remove_member', member.email, {
      account_id,
      role: member.role,
    });
    return revokeApiKeys(tx, game_id, key_ids, { role: callerRole, actor });
  });
  evictKeys();
}

async function getMember(tx: Queryable, game_id: string, account_id: string): Promise<Member> {
  const member = await findMember(tx, game_id, account_id);
  if (member === null) throw notFound('Member not found');
  return member;
}

async function refuseLastOwner(tx: Queryable, game_id: string): Promise<void> {
  if ((await countOwners(tx, game_id)) === 1) {
    throw conflict('A game needs an owner: make another member owner first');
  }
}
