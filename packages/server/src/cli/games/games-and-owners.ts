import type pg from 'pg';
import type { Database } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { CommandError } from '../command.ts';

/** Finds the name of a game; null if there is no such game. */
export async function findGameName(database: Database, game_id: string): Promise<string | null> {
  const game = await database.queryOne<{ name: string }>(
    sql`SELECT name FROM games WHERE id = ${game_id}`,
  );
  return game?.name ?? null;
}

/**
 * Finds the account that the option `--owner` names; null without the option.
 * @throws CommandError when there is no such account.
 */
export async function findOwner(
  database: Database,
  email: string | undefined,
): Promise<string | null> {
  if (email === undefined) return null;
  const account = await database.queryOne<{ id: string }>(
    sql`SELECT id FROM accounts WHERE fold_text(email) = fold_text(${email})`,
  );
  if (account === null) throw new CommandError(`There is no account ${email}.`);
  return account.id;
}

/** Makes an account the owner of a new game; nobody for null. */
export async function insertOwner(
  client: pg.ClientBase,
  game_id: string,
  owner: string | null,
): Promise<void> {
  if (owner === null) return;
  await client.query(
    `INSERT INTO game_members (game_id, account_id, role) VALUES ($1, $2, 'owner')`,
    [game_id, owner],
  );
}
