import type { Config } from '../config.ts';
import { makeSecret } from '../config.ts';
import type { Database, Queryable } from '../database/database.ts';
import { sql } from '../database/sql.ts';

/** Lifetime of a dashboard token. */
export const TOKEN_LIFETIME_DAYS = 7;

/** A secret that a newer secret replaces. The tokens that the old secret has signed stay valid. */
export interface RetiredSecret {
  secret: string;
  /**
   * The time at which the secret stops signing, perhaps in the future.
   * Null for a secret whose tokens are valid as long as it is configured.
   */
  retired_at: Date | null;
}

/** The secrets of dashboard tokens. */
interface JwtSecrets {
  current: string;
  retired: readonly RetiredSecret[];
}

export interface JwtSecretKeeper {
  /** Returns another object when the secrets may have changed. */
  get(): JwtSecrets;
  /** Loads the secrets again; called by a timer. */
  refresh(): Promise<void>;
}

/** The rows of `installation` that hold secrets of tokens. */
const CURRENT = 'jwt_secret';
const RETIRED = 'jwt_retired_secrets';
export const SECRET_NAMES: readonly string[] = [CURRENT, RETIRED];

/** The interval at which servers look for a new secret. */
export const SECRET_REFRESH_INTERVAL_MS = 60_000;
/** A new secret signs only after this time, when all servers know it. */
const ROTATION_DELAY_MS = 2 * SECRET_REFRESH_INTERVAL_MS;

/**
 * Makes a keeper of the configured secrets. If none is configured, the first start makes a secret and stores
 * it in the database, so all servers share it.
 */
export async function createJwtSecretKeeper(
  database: Database,
  configured: Pick<Config, 'jwt_secret' | 'jwt_secret_previous'>,
): Promise<JwtSecretKeeper> {
  const { jwt_secret, jwt_secret_previous } = configured;
  if (jwt_secret !== null) {
    const retired = jwt_secret_previous ? [{ secret: jwt_secret_previous, retired_at: null }] : [];
    const secrets = { current: jwt_secret, retired };
    return { get: () => secrets, refresh: async () => undefined };
  }
  await database.execute(sql`
    INSERT INTO installation (name, value) VALUES (${CURRENT}, ${makeSecret()})
    ON CONFLICT (name) DO NOTHING`);
  let secrets = await readSecrets(database);
  return {
    get: () => secrets,
    async refresh() {
      secrets = await readSecrets(database);
    },
  };
}

/**
 * Returns the secret that signs tokens now. A replaced secret still
 * signs until its `retired_at`, when every server knows the next secret.
 */
export function chooseSigningSecret({ current, retired }: JwtSecrets, now: Date): string {
  const still = retired.find(({ retired_at }) => retired_at !== null && retired_at > now);
  return still?.secret ?? current;
}

/**
 * Tells whether a retired secret was still in use when a token was issued (its `iat`). Without this check, a
 * stolen old secret could make tokens that outlive the others.
 */
export const isSignedInTime = ({ retired_at }: RetiredSecret, issued_at_s: number): boolean =>
  issued_at_s * 1000 <= (retired_at?.getTime() ?? Infinity) + SECRET_REFRESH_INTERVAL_MS;

async function readSecrets(database: Queryable): Promise<JwtSecrets> {
  const rows = await database.query<{ name: string; value: string }>(sql`
    SELECT name, value FROM installation WHERE name = ANY(${[...SECRET_NAMES]}::text[])`);
  const find = (wanted: string) => rows.find(({ name }) => name === wanted)?.value;
  const retired = JSON.parse(find(RETIRED) ?? '[]') as Record<'secret' | 'retired_at', string>[];
  return {
    current: find(CURRENT)!,
    retired: retired.map(({ secret, retired_at }) => ({
      secret,
      retired_at: new Date(retired_at),
    })),
  };
}

/**
 * Makes a new secret, which signs tokens two minutes later. Tokens of the previous secret stay valid until
 * they expire. With `end_sessions` the new secret signs immediately, and all earlier tokens become invalid.
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
  const retires_at = new Date(now + ROTATION_DELAY_MS);
  const useful = [...retired, { secret: current, retired_at: retires_at }].filter(
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
