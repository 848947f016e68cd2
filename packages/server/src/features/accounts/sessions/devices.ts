import { MAX_DEVICES, MAX_LOGIN_FAILURES } from '@overworld/contract/accounts/limits';
import type { Device } from '@overworld/contract/accounts/sessions';
import type { Actor } from '../../../platform/audit.ts';
import type { PersonCaller } from '../../../platform/auth/accounts.ts';
import { hashToken, makeRandomToken } from '../../../platform/auth/random-token.ts';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Client } from '../../../platform/http/client.ts';
import { removeBrowser, showBrowser } from './browsers.ts';

const LIFETIME_DAYS = 365;

const COOKIE = 'overworld_device';
const COOKIE_VALUE = new RegExp(`(?:^|;) *${COOKIE}=([\\w-]{32}) *(?:;|$)`);

export const hashDeviceToken = (token: string | null) => token && hashToken(token);

/** Reads the token in the browser's cookie; returns null if there is none. */
export const readDeviceToken = (cookies: string | undefined): string | null =>
  COOKIE_VALUE.exec(cookies ?? '')?.[1] ?? null;

/** Makes a cookie that browsers send only to `/v1/auth`, and that neither scripts nor other sites can use. */
export const makeDeviceCookie = (token: string, public_url: string): string =>
  [
    `${COOKIE}=${token}`,
    'Path=/v1/auth',
    `Max-Age=${LIFETIME_DAYS * 86_400}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(public_url.startsWith('https:') ? ['Secure'] : []),
  ].join('; ');

/**
 * Finds the id of the browser, if the account knows the browser and the browser has not sent too many wrong
 * passwords. Its row stays locked until the transaction ends, so attempts from one browser are judged one
 * after the other, on all servers. All code locks the account before its browser, so there is no deadlock.
 */
export async function lockKnownDevice(
  tx: Queryable,
  email: string,
  token: string,
): Promise<string | null> {
  const device = await tx.queryOne<{ id: string }>(sql`
    SELECT account_devices.id
    FROM accounts
    JOIN account_devices ON account_id = accounts.id
    WHERE fold_text(email) = fold_text(${email}) AND token_hash = ${hashDeviceToken(token)}
      AND failures < ${MAX_LOGIN_FAILURES}::integer
      AND last_used_at > now() - ${LIFETIME_DAYS}::integer * interval '1 day'
    FOR NO KEY UPDATE`);
  return device?.id ?? null;
}

/** Counts a wrong password of a known browser. At `MAX_LOGIN_FAILURES` the browser counts as unknown. */
export async function insertDeviceFailure(tx: Queryable, device_id: string): Promise<void> {
  await tx.execute(sql`UPDATE account_devices SET failures = failures + 1 WHERE id = ${device_id}`);
}

/** Clears the failures of a known browser. */
export async function deleteDeviceFailures(tx: Queryable, device_id: string): Promise<void> {
  await tx.execute(sql`UPDATE account_devices SET failures = 0 WHERE id = ${device_id}`);
}

/**
 * Remembers the browser of a login or of a password reset. The caller must have locked the account's row;
 * opening a session does so.
 * @param given The token that the browser's cookie has now.
 * @returns the token for the cookie: the given token if any account knows it, else a new one.
 */
export async function rememberDevice(
  tx: Queryable,
  account_id: string,
  given: string | null,
  { ip, user_agent }: Client,
): Promise<string> {
  const known = await tx.queryOne(sql`
    SELECT FROM account_devices WHERE token_hash = ${hashDeviceToken(given)} LIMIT 1`);
  const token = known ? given! : makeRandomToken();
  const token_hash = hashDeviceToken(token);
  await tx.execute(sql`
    DELETE FROM account_devices
    WHERE id IN (
      SELECT id FROM account_devices
      WHERE account_id = ${account_id} AND token_hash <> ${token_hash}
      ORDER BY last_used_at > created_at DESC, last_used_at DESC
      OFFSET ${MAX_DEVICES - 1}::integer)`);
  await tx.execute(sql`
    INSERT INTO account_devices (account_id, token_hash, user_agent, address, last_used_at)
    VALUES (${account_id}, ${token_hash}, ${user_agent}, ${ip}, clock_timestamp())
    ON CONFLICT (token_hash, account_id) DO UPDATE SET
      user_agent = EXCLUDED.user_agent, address = EXCLUDED.address, failures = 0,
      last_used_at = EXCLUDED.last_used_at`);
  return token;
}

/** Finds the id of the account's browser with this token, or null. */
export async function findDevice(
  database: Queryable,
  account_id: string,
  token_hash: string | null,
): Promise<string | null> {
  const device = await database.queryOne<{ id: string }>(sql`
    SELECT id FROM account_devices
    WHERE account_id = ${account_id} AND token_hash = ${token_hash}`);
  return device?.id ?? null;
}

/** Lists the browsers that the account knows: the caller's own first, then the others by last login. */
export async function listDevices(
  database: Queryable,
  account_id: string,
  token: string | null,
): Promise<Device[]> {
  type Row = Omit<Device, 'browser'> & { user_agent: string | null };
  const rows = await database.query<Row>(sql`
    SELECT id, user_agent, address, created_at, last_used_at,
           token_hash IS NOT DISTINCT FROM ${hashDeviceToken(token)} AS is_current
    FROM account_devices
    WHERE account_id = ${account_id}
    ORDER BY is_current DESC, last_used_at DESC, id`);
  return rows.map(showBrowser);
}

/**
 * Forgets a browser. The sessions in this browser go on.
 * @throws ApiError 404 when the account knows no such browser.
 */
export const forgetDevice = (
  database: Database,
  { account_id }: PersonCaller,
  device_id: string,
  actor: Actor,
): Promise<void> =>
  removeBrowser(database, actor, device_id, {
    action: 'forget_device',
    missing: 'Browser not found',
    remove: (tx) =>
      tx.queryOne(sql`
        DELETE FROM account_devices
        WHERE id = ${device_id} AND account_id = ${account_id}
        RETURNING user_agent, address`),
  });

/** Forgets the account's browsers except the one with this token. */
export async function deleteOtherDevices(
  tx: Queryable,
  account_id: string,
  token: string | null,
): Promise<void> {
  await tx.execute(sql`
    DELETE FROM account_devices
    WHERE account_id = ${account_id} AND token_hash IS DISTINCT FROM ${hashDeviceToken(token)}`);
}

/** Forgets browsers a year after their last login. */
export async function deleteOldDevices(database: Queryable): Promise<void> {
  await database.execute(sql`
    DELETE FROM account_devices
    WHERE id IN (
      SELECT id FROM account_devices
      WHERE last_used_at < now() - ${LIFETIME_DAYS}::integer * interval '1 day'
      FOR UPDATE SKIP LOCKED)`);
}
