import type pg from 'pg';
import { makeAccessToken } from '../../platform/auth/access-token-text.ts';
import type { DemoGame } from './demo-game.ts';

/** Inserts an access token of each member. Nobody has the tokens themselves. */
export async function insertTokens(
  client: pg.ClientBase,
  { game_id, owner, developer }: DemoGame,
): Promise<void> {
  for (const [{ account_id }, name, role, used_minutes_ago] of [
    [owner, 'Nightly build', 'developer', 340],
    [developer, 'Notebook of the analysts', 'reports', 12],
  ] as const) {
    const { prefix, token_hash } = makeAccessToken();
    const { rows } = await client.query<{ id: string }>(
      `INSERT INTO access_tokens
         (account_id, name, role, prefix, token_hash, created_at, expires_at, last_used_at)
       VALUES ($1, $2, $3, $4, $5, now() - interval '20 days', now() + interval '70 days',
               now() - $6::integer * interval '1 minute')
       RETURNING id`,
      [account_id, name, role, prefix, token_hash, used_minutes_ago],
    );
    await client.query(
      'INSERT INTO access_token_games (game_id, token_id, account_id) VALUES ($1, $2, $3)',
      [game_id, rows[0]!.id, account_id],
    );
  }
}
