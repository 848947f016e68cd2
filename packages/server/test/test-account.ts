import { randomBytes } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import type { Role } from '@overworld/contract/operation';
import { createJwtSecretKeeper } from '../src/platform/auth/jwt-secrets.ts';
import { createTokens } from '../src/platform/auth/tokens.ts';
import { systemClock } from '../src/platform/clock.ts';
import type { Clock } from '../src/platform/clock.ts';
import type { Config } from '../src/platform/config.ts';
import type { Database } from '../src/platform/database/database.ts';
import { sql } from '../src/platform/database/sql.ts';

/** An active dashboard account and its token. */
export interface TestAccount {
  account_id: string;
  email: string;
  password: string;
  token: string;
  /** The session of the token. */
  session_id: string;
}

export interface AccountSettings {
  /** The account is a member of this game. */
  game_id?: string;
  /** The role of the account in the game; owner by default. */
  role?: Role;
  is_administrator?: boolean;
}

/** The password of every test account, hashed once because that takes 20 ms. */
const TEST_PASSWORD = 'correct horse battery staple';
let testPasswordHash: Promise<string> | undefined;

/** Makes an account, with a token that a server with these settings accepts as its own. */
export async function insertAccount(
  database: Database,
  { config, clock = systemClock }: { config: Config; clock?: Clock },
  { game_id, role = 'owner', is_administrator = false }: AccountSettings = {},
): Promise<TestAccount> {
  testPasswordHash ??= hash(TEST_PASSWORD);
  const email = `${randomBytes(6).toString('hex')}@studio.example`;
  const account = await database.queryOne<{ id: string; token_generation: number }>(sql`
    INSERT INTO accounts (email, password_hash, status, is_administrator, email_verified_at)
    VALUES (${email}, ${await testPasswordHash}, 'active', ${is_administrator}, now())
    RETURNING id, token_generation`);
  const { id: account_id, token_generation } = account!;
  if (game_id !== undefined) {
    await database.execute(sql`
      INSERT INTO game_members (game_id, account_id, role)
      VALUES (${game_id}, ${account_id}, ${role})`);
  }
  const tokens = createTokens(await createJwtSecretKeeper(database, config), clock);
  const session = await database.queryOne<{ id: string }>(sql`
    INSERT INTO account_sessions (account_id, expires_at)
    VALUES (${account_id}, now() + interval '7 days') RETURNING id`);
  const session_id = session!.id;
  const token = await tokens.sign({ account_id, session_id, generation: token_generation });
  return { account_id, email, password: TEST_PASSWORD, token, session_id };
}
