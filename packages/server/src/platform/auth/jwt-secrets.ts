import type { Config } from '../config.ts';
import { makeSecret } from '../config.ts';
import type { Database, Queryable } from '../database/database.ts';
import { sql } from '../database/sql.ts';

/** How long a dashboard token is valid. */
export const TOKEN_LIFETIME_DAYS = 7;

/** A secret that signs no more, but whose tokens are still good. */
export interface RetiredSecret {
  secret: string;
  /** Null: as long as it is configured. */
  retired_at: Date | null;
}

/** What dashboard tokens are signed with. */
export interface JwtSecrets {
  current: string;
  retired: readonly RetiredSecret[];
}

export interface JwtSecretKeeper {
  get(): JwtSecrets;
  /**
   * Reads the secrets anew, at most once a second, as a token by an unknown one makes each server do
   * it at once when another has been told to change them.
   */
  refresh(): Promise<void>;
}

/** The names of rows of `installation` that hold secrets of tokens. */
const CURRENT = 'jwt_secret';
const RETIRED = 'jwt_retired_secrets';
export const SECRET_NAMES: readonly string[] = [CURRENT, RETIRED];

/** Servers look for a new secret so often, and may sign with the old one until then. */
export const SECRET_REFRESH_INTERVAL_MS = 60_000;
const MIN_READ_INTERVAL_MS = 1_000;

/**
 * Keeps the secrets: the configured ones, else one made at the first start and kept in the database,
 * so that all servers share it.
 */
export async function createJwtSecretKeeper(
  database: Database,
  configured: Pick<Config, 'jwt_secret' | 'jwt_secret_previous'>,
): Promise<JwtSecretKeeper> {
  const { jwt_secret, jwt_secret_previous } = configured;
  if (jwt_secret !== null) {
    const retired = jwt_secret_previous ? [{ secret: jwt_secret_previous, retired_at: null }] : [];
    return { get: () => ({ current: jwt_secret, retired }), refresh: async () => undefined };
  }
  await database.execute(sql`
    INSERT INTO installation (name, value) VALUES (${CURRENT}, ${makeSecret()})
    ON CONFLICT (name) DO NOTHING`);
  let secrets = await readSecrets(database);
  let read_at = performance.now();
  return {
    get: () => secrets,
    async refresh() {
      if (performance.now() - read_at < MIN_READ_INTERVAL_MS) return;
      read_at = performance.now();
      secrets = await readSecrets(database);
    },
  };
}

interface StoredRetired {
  secret: string;
  retired_at: string;
}

async function readSecrets(database: Queryable): Promise<JwtSecrets> {
  const rows = await database.query<{ name: string; value: string }>(sql`
    SELECT name, value FROM installation WHERE name = ANY(${[...SECRET_NAMES]}::text[])`);
  const find = (wanted: string) => rows.find(({ name }) => name === wanted)?.value;
  const retired = JSON.parse(find(RETIRED) ?? '[]') as StoredRetired[];
  return {
    current: find(CURRENT)!,
    retired: retired.map(({ secret, retired_at }) => ({
      secret,
      retired_at: new Date(retired_at),
    })),
  };
}

/**
 * Has tokens signed by a new secret from now on. Those of the one before are good as long as they
 * would be, or with `end_sessions` no more.
 */
export async function rotateJwtSecret(
  tx: Queryable,
  { end_sessions }: { end_sessions: boolean },
): Promise<void> {
  await tx.execute(sql`
    INSERT INTO installation (name, value) VALUES (${RETIRED}, '[]') ON CONFLICT (name) DO NOTHING`);
  await tx.execute(sql`
    SELECT FROM installation WHERE name = ANY(${[...SECRET_NAMES]}::text[]) ORDER BY name FOR UPDATE`);
  const { current, retired } = await readSecrets(tx);
  const now = Date.now();
  const useful = [...retired, { secret: current, retired_at: new Date(now) }].filter(
    ({ secret, retired_at }) =>
      secret !== undefined && now - retired_at!.getTime() < TOKEN_LIFETIME_DAYS * 86_400_000,
  );
  await tx.execute(sql`
    UPDATE installation SET value = ${JSON.stringify(end_sessions ? [] : useful)}
    WHERE name = ${RETIRED}`);
  await tx.execute(sql`
    INSERT INTO installation (name, value) VALUES (${CURRENT}, ${makeSecret()})
    ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value`);
}
