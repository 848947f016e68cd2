import type { BenchServer } from './bench-server.ts';

/** Registers an account that owns the game. @returns its token. */
export async function makeOwner({ url, database }: BenchServer, game_id: string): Promise<string> {
  const email = 'bench@studio.example';
  const response = await fetch(`${url}/v1/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'correct horse battery' }),
  });
  const { token, user } = (await response.json()) as { token: string; user: { id: string } };
  const client = await database.connect();
  await client.query(
    `INSERT INTO game_members (game_id, account_id, role) VALUES ($1, $2, 'owner')`,
    [game_id, user.id],
  );
  client.release();
  return token;
}
