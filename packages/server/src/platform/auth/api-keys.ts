import { hash, randomBytes } from 'node:crypto';
import type { Environment } from '@overworld/contract/common';
import type { ApiKeyKind } from '@overworld/contract/games/api-keys';
import type { Shares } from '@overworld/contract/games/shares';
import type { Verification } from '@overworld/contract/players/verification';
import { TIERS } from '@overworld/contract/tiers';
import type { EventValidation, Tier } from '@overworld/contract/tiers';
import type { Queryable } from '../database/database.ts';
import type { GroupedDatabase } from '../database/game-groups.ts';
import { rowsAs, sql } from '../database/sql.ts';
import { createBatcher } from '../batch/batcher.ts';
import { createDefinitionCache } from '../definition-cache.ts';
import type { Notifications } from '../database/notifications.ts';

/** The game client or studio server that holds an API key, with the game's settings that hot paths need. */
export interface KeyCaller {
  readonly kind: 'key';
  readonly key_id: string;
  readonly key_kind: ApiKeyKind;
  /**
   * Each rotation of a key makes a new key. This is the first key of the chain
   * that led to the caller's key. All keys of the chain share idempotency keys.
   */
  readonly first_key_id: string;
  readonly game_id: string;
  readonly environment: Environment;
  /** The number of events per month that the game's tier allows. */
  readonly event_quota: number;
  /** The number of these events that the keys of the environment may send; null if they may send all. */
  readonly environment_quota: number | null;
  readonly event_validation: EventValidation;
  /** The property of players that holds their names; null if they have none. */
  readonly player_name_property: string | null;
  /** Says which calls must carry a player token; only the guard of players uses it. */
  readonly verification: Verification;
  /** True if a new login may name an existing player, and thereby become a login of that player. */
  readonly allows_claims: boolean;
  /**
   * The number of requests per minute that an administrator allows each key; null when the usual limit
   * applies.
   */
  readonly raised_requests: number | null;
  /** The limits of each player and each network; null for server keys, and if the game has no limits. */
  readonly shares: Shares | null;
}

/** The beginning of all server keys, and of no other keys. */
export const SERVER_KEY_PREFIX = 'ow_srv_';
const PREFIXES: Record<ApiKeyKind, Record<Environment, string>> = {
  client: { development: 'ow_dev_', production: 'ow_live_' },
  server: {
    development: `${SERVER_KEY_PREFIX}dev_`,
    production: `${SERVER_KEY_PREFIX}live_`,
  },
};
const VISIBLE_SECRET_CHARACTERS = 6;

/** Makes a key: the text to show once, the prefix that stays visible, and the hash to store. */
export function makeApiKey(
  environment: Environment,
  kind: ApiKeyKind = 'client',
): {
  key: string;
  prefix: string;
  key_hash: string;
} {
  const begin = PREFIXES[kind][environment];
  const key = begin + randomBytes(24).toString('base64url');
  const prefix = key.slice(0, begin.length + VISIBLE_SECRET_CHARACTERS);
  return { key, prefix, key_hash: hashApiKey(key) };
}

/** Keys hold 192 random bits, so a plain SHA-256, which takes 1 µs, is as safe as a slow hash. */
const hashApiKey = (key: string): string => hash('sha256', key, 'hex');

/** SQL that is true for the rows of `api_keys` whose keys are neither revoked nor expired. */
export const IS_VALID_KEY = sql`(revoked_at IS NULL AND (expires_at > now()) IS NOT FALSE)`;

/** The maximum number of keys whose hashes are remembered. */
const MAX_KNOWN_HASHES = 10_000;

const KEY = /^ow_(srv_)?(dev|live)_[\w-]{32}$/;

/** When the row or the game of a key changes, nodes send each other the hash of the key on this channel. */
const KEY_CHANNEL = 'overworld_api_keys';

/** A caller that is kept in memory. */
interface KnownCaller {
  caller: KeyCaller;
  /** After `performance.now()` has passed this value, the caller is read from the database again. */
  good_until_ms: number;
}

/**
 * The longest time, in ms, for which a key with an expiry time stays in memory. In this
 * time, two clocks whose speeds differ by a thousandth drift apart by 60 ms. A key may be
 * valid for another 90 days. In that time, these clocks would drift apart by two hours.
 */
const EXPIRING_KEPT_MS = 60_000;

/**
 * Looks up API keys in memory, which is filled from the database. A revoked key stops working at once on the
 * node that revokes it, and on the others when the notification arrives. A key expires by the database's
 * clock: memory holds the time that the key has left, so a change of the clock of this machine has no effect.
 */
export function createKeyDirectory(database: GroupedDatabase, notifications: Notifications) {
  /** The game of each key that was used since the last flush, by the id of the key. */
  let lastUsed = new Map<string, string>();

  // One statement looks up all keys that wait. Invented keys are never in memory, so they are all looked up.
  // A flood of them, even from addresses over their limit, takes only one connection, and 10 µs per key.
  const lookUps = createBatcher<string, KnownCaller | null>({
    name: 'look_up_api_key',
    max_batch_size: 500,
    max_queue_length: 5_000,
    async flush(key_hashes) {
      const known = await listCallers(database, key_hashes);
      await database.learnGames(known.flatMap((found) => found?.caller.game_id ?? []));
      return known;
    },
  });

  const cache = createDefinitionCache<KnownCaller | null>({
    channel: KEY_CHANNEL,
    notifications,
    max_entries: 100_000,
    // Invented keys must not displace real keys in the cache.
    keep: (known) => known !== null,
    load: (key_hash) => lookUps.submit(key_hash),
  });

  /** The hashes of keys that were found, so that a request need not hash its key again. */
  const known_hashes = new Map<string, string>();

  const peekKnown = (key_hash: string): KnownCaller | undefined => {
    const known = cache.peek(key_hash) ?? undefined;
    if (known === undefined || known.good_until_ms > performance.now()) return known;
    cache.evict(key_hash);
    return undefined;
  };

  const use = <Known extends KnownCaller | undefined>(known: Known): Known => {
    if (known) lastUsed.set(known.caller.key_id, known.caller.game_id);
    return known;
  };

  const invalidateOnCommit = async (tx: Queryable, key_hashes: readonly string[]) => {
    for (const key_hash of key_hashes) await cache.invalidateOnCommit(tx, key_hash);
    return () => key_hashes.forEach((key_hash) => cache.evict(key_hash));
  };

  return {
    /**
     * Makes all nodes forget keys. Call it with the hashes
     * of the keys, in the transaction that changes the keys.
     * @returns a function that makes this node forget the keys at once. Call it after the commit.
     */
    invalidateOnCommit,
    /**
     * Calls `invalidateOnCommit` for all keys of a game. Call it before the game is deleted, and when the
     * game changes a setting that is a field of `KeyCaller`. The transaction must hold the game's lock
     * (`lockGame`), so that no key is made meanwhile.
     */
    async invalidateGameOnCommit(tx: Queryable, game_id: string): Promise<() => void> {
      const keys = await tx.query<{ key_hash: string }>(sql`
        SELECT key_hash FROM api_keys WHERE game_id = ${game_id} AND revoked_at IS NULL`);
      const key_hashes = keys.map(({ key_hash }) => key_hash);
      return invalidateOnCommit(tx, key_hashes);
    },
    /** Waits until all look-ups that have begun are done. */
    close: () => lookUps.close(),
    /** Returns the caller of a key, if it is in memory. */
    peek(key: string): KeyCaller | undefined {
      const key_hash = known_hashes.get(key);
      return key_hash === undefined ? undefined : use(peekKnown(key_hash))?.caller;
    },
    /** Finds the caller of a key. Returns null when the key is unknown, revoked or expired. */
    async find(key: string): Promise<KeyCaller | null> {
      if (!KEY.test(key)) return null;
      const key_hash = hashApiKey(key);
      const known = peekKnown(key_hash) ?? (await cache.get(key_hash));
      if (known === null) return null;
      if (known_hashes.size >= MAX_KNOWN_HASHES) known_hashes.clear();
      known_hashes.set(key, key_hash);
      return use(known).caller;
    },
    /** Writes the time at which each key was last used. A timer and the shutdown call this. */
    async flushLastUsed() {
      const used = Array.from(lastUsed, ([id, game_id]) => ({ id, game_id }));
      lastUsed = new Map();
      if (used.length === 0) return;
      await database.execute(sql`
        WITH locked AS MATERIALIZED (
          SELECT game_id, id
          FROM ${rowsAs('used', used, { game_id: 'uuid', id: 'uuid' })}
          JOIN api_keys USING (game_id, id)
          ORDER BY game_id, id
          FOR NO KEY UPDATE OF api_keys
        )
        UPDATE api_keys SET last_used_at = now()
        FROM locked
        WHERE api_keys.game_id = locked.game_id AND api_keys.id = locked.id`);
    },
  };
}

export type KeyDirectory = ReturnType<typeof createKeyDirectory>;

/** Loads the callers of keys, in the order of the hashes. Returns null for each key that is not valid. */
async function listCallers(
  database: Queryable,
  key_hashes: readonly string[],
): Promise<(KnownCaller | null)[]> {
  type Row = Omit<KeyCaller, 'kind' | 'event_quota' | 'environment_quota'> & {
    key_hash: string;
    tier: Tier;
    left_ms: number | null;
    events_percent: number | null;
  };
  const asked_at_ms = performance.now();
  const rows = await database.query<Row>(sql`
    SELECT key_hash, api_keys.id AS key_id, COALESCE(first_key_id, api_keys.id) AS first_key_id,
           game_id, environment, api_keys.kind AS key_kind, tier,
           CASE WHEN environment = 'development' AND development_event_validation IS NOT NULL
             THEN development_event_validation ELSE event_validation END AS event_validation,
           player_name_property,
           COALESCE(verification, 'off') AS verification,
           COALESCE(allows_claims, true) AS allows_claims,
           (limit_overrides->>'key_requests_per_minute')::integer AS raised_requests,
           (shares->>'monthly_events_percent')::integer AS events_percent,
           CASE WHEN api_keys.kind = 'client' THEN shares END AS shares,
           (extract(epoch FROM expires_at - now()) * 1000)::float8 AS left_ms
    FROM api_keys
    JOIN games ON games.id = api_keys.game_id
    LEFT JOIN verification_settings USING (game_id, environment)
    LEFT JOIN share_settings USING (game_id, environment)
    WHERE key_hash = ANY(${[...key_hashes]}::text[]) AND ${IS_VALID_KEY}`);
  const callers = new Map<string, KnownCaller>();
  for (const { key_hash, tier, left_ms, events_percent, ...row } of rows) {
    const kept_ms = left_ms === null ? Infinity : Math.min(left_ms, EXPIRING_KEPT_MS);
    const { event_quota } = TIERS[tier];
    const environment_quota =
      events_percent === null ? null : Math.floor((event_quota * events_percent) / 100);
    const caller: KeyCaller = { kind: 'key', ...row, event_quota, environment_quota };
    callers.set(key_hash, { caller, good_until_ms: asked_at_ms + kept_ms });
  }
  return key_hashes.map((key_hash) => callers.get(key_hash) ?? null);
}
