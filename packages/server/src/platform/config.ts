import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { readBackupSettings } from './backup-settings.ts';
import type { BackupSettings } from './backup-settings.ts';
import { ConfigError } from './config-error.ts';
import { readStaffLogin } from './staff-login-settings.ts';
import type { StaffLoginSettings } from './staff-login-settings.ts';
import { readS3Settings, readStorePlace } from './stores/store-place.ts';
import type { S3Settings, StorePlace } from './stores/store-place.ts';

export interface Config {
  host: string;
  port: number;
  /** The number of event loops that serve the port, each in a thread of its own if there are several. */
  workers: number;
  /**
   * The absolute path of the folder for the embedded database, and for mails that are written to files
   * instead of being sent.
   */
  data_dir: string;
  /** The URL of an external PostgreSQL (15 or newer). Null: the embedded PostgreSQL is used. */
  database_url: string | null;
  /** The number of groups of games. Null: the present number is used, or 1 for a new installation. */
  tenant_groups: number | null;
  /** The URL of the Redis server with the state that several nodes share; null: this node is the only one. */
  redis_url: string | null;
  /** The URL of the mail server. Null: mails are written to `data_dir`. */
  smtp_url: string | null;
  mail_from: string;
  /** The URL at which users reach the dashboard, without a slash at the end. */
  public_url: string;
  /** The secret that signs tokens. Null: the first start makes a secret and stores it in the database. */
  jwt_secret: string | null;
  /** The previous secret. Tokens that were signed with it stay valid. */
  jwt_secret_previous: string | null;
  trust_proxy: boolean | string[];
  cors_origins: '*' | string[];
  rate_limit_per_minute: number;
  /** The highest number of requests per minute that an administrator may allow each key of a game. */
  rate_limit_ceiling: number;
  /**
   * The maximum number of open connections, in all and from one address. Connections from a trusted proxy
   * count only for the limit of all connections.
   */
  max_connections: number;
  max_connections_per_address: number;
  account_activation: 'none' | 'email' | 'admin';
  registration: 'open' | 'closed';
  log_level: LogLevel;
  /** The requests that get a line in the log. `failed`: those with a status of 400 or more. */
  log_requests: 'all' | 'failed' | 'none';
  /** The time for which a stopping server still serves requests, while /readyz reports the stop. */
  drain_seconds: number;
  /** The number of days for which raw events are kept. 0: they are kept for ever. */
  event_retention_days: number;
  /** The memory for the rank orders of leaderboards in use, 22 bytes per entry. */
  leaderboard_memory_mb: number;
  /** The URL of Steam's Web API, without a slash at the end. */
  steam_api_url: string;
  /** True if the login issuers that games register may be in a private network, and without TLS. */
  allow_private_issuers: boolean;
  /** True if the URLs of webhooks that games register may be in a private network. */
  allow_private_webhooks: boolean;
  /**
   * Each slot keeps the last ten versions of a save. This is the maximum size, in KB, of the older versions
   * of all saves of a player; 0 to keep no older versions.
   */
  save_history_kb: number;
  /**
   * The bearer token for /metrics. If it is null, only requests from this machine may read metrics. Behind a
   * proxy, nobody may read them then.
   */
  metrics_token: string | null;
  /** Null: the server makes no backups. */
  backup: BackupSettings | null;
  /** The place of the continuing export of events; null: there is none. */
  events_export_to: StorePlace | null;
  s3: S3Settings;
  /** The issuer with which staff log in. Null: they log in with passwords. */
  staff_login: StaffLoginSettings | null;
}

/** Each worker opens up to nine connections to PostgreSQL, and PostgreSQL allows 100 by default. */
const MAX_WORKERS = 10;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * Reads the settings from environment variables. An empty variable counts as unset.
 * @throws ConfigError naming the first setting that is wrong.
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const read = (name: string) => env[name]?.trim() || null;
  const fail = (name: string, expected: string): never => {
    throw new ConfigError(`${name} must be ${expected}, but is "${env[name]}".`);
  };

  const integer = (name: string, fallback: number, minimum: number, maximum: number) => {
    const text = read(name);
    if (text === null) return fallback;
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < minimum || value > maximum) {
      return fail(name, `a whole number from ${minimum} to ${maximum}`);
    }
    return value;
  };
  const choice = <T extends string>(name: string, options: readonly T[], fallback: T): T => {
    const text = read(name);
    if (text === null) return fallback;
    return options.find((option) => option === text) ?? fail(name, `one of ${options.join(', ')}`);
  };
  const url = (name: string, protocols: string[]) => {
    const text = read(name);
    if (text === null) return null;
    if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol)) {
      // The message does not repeat the value, which may hold a password.
      throw new ConfigError(
        `${name} must be an address that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}.`,
      );
    }
    try {
      decodeURIComponent(text);
    } catch {
      throw new ConfigError(`${name} has a % that begins no character: write it as %25.`);
    }
    return text;
  };
  const secret = (name: string, minimum_length: number) => {
    const text = read(name);
    if (text !== null && text.length < minimum_length) {
      throw new ConfigError(`${name} must have at least ${minimum_length} characters.`);
    }
    return text;
  };

  const cores = process.platform === 'linux' ? availableParallelism() : 1;
  // One core is left to PostgreSQL.
  const default_workers = Math.min(MAX_WORKERS, Math.max(1, cores - 1));
  const workers = integer('WORKERS', default_workers, 1, MAX_WORKERS);
  if (workers > 1 && process.platform !== 'linux') {
    throw new ConfigError(
      'WORKERS must be 1 on this system: only Linux divides a port among several.',
    );
  }

  const host = read('HOST') ?? '127.0.0.1';
  const port = integer('PORT', 8080, 0, 65_535);
  const shown_host = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  const public_url =
    url('PUBLIC_URL', ['https:', 'http:']) ??
    `http://${shown_host.includes(':') ? `[${shown_host}]` : shown_host}:${port}`;

  const s3 = readS3Settings(read);
  const export_to = read('EVENTS_EXPORT_TO');

  return {
    // With the name `localhost`, Node would listen only on ::1 if the system lists that address first.
    host: host === 'localhost' ? '127.0.0.1' : host,
    port,
    workers,
    data_dir: resolve(read('DATA_DIR') ?? './data'),
    database_url: url('DATABASE_URL', ['postgres:', 'postgresql:']),
    tenant_groups: read('TENANT_GROUPS') === null ? null : integer('TENANT_GROUPS', 1, 1, 1024),
    redis_url: url('REDIS_URL', ['redis:', 'rediss:']),
    smtp_url: url('SMTP_URL', ['smtp:', 'smtps:']),
    mail_from: read('MAIL_FROM') ?? 'Overworld <overworld@localhost>',
    public_url: readPublicUrl(public_url),
    jwt_secret: secret('JWT_SECRET', 32),
    jwt_secret_previous: secret('JWT_SECRET_PREVIOUS', 32),
    trust_proxy: readTrustProxy(read('TRUST_PROXY')),
    cors_origins: readOrigins(read('CORS_ORIGINS')),
    rate_limit_per_minute: integer('RATE_LIMIT_PER_MINUTE', 1000, 1, 1_000_000_000),
    rate_limit_ceiling: integer('RATE_LIMIT_CEILING', 1000, 1, 1_000_000_000),
    max_connections: integer('MAX_CONNECTIONS', 20_000, 1, 1_000_000),
    max_connections_per_address: integer('MAX_CONNECTIONS_PER_ADDRESS', 1_000, 1, 1_000_000),
    account_activation: choice('ACCOUNT_ACTIVATION', ['none', 'email', 'admin'], 'none'),
    registration: choice('REGISTRATION', ['open', 'closed'], 'open'),
    log_level: choice('LOG_LEVEL', LOG_LEVELS, 'info'),
    log_requests: choice('LOG_REQUESTS', ['all', 'failed', 'none'], 'all'),
    drain_seconds: integer('DRAIN_SECONDS', 0, 0, 300),
    event_retention_days: integer('EVENT_RETENTION_DAYS', 0, 0, 36_500),
    leaderboard_memory_mb: integer('LEADERBOARD_MEMORY_MB', 256, 0, 1_000_000),
    steam_api_url: (
      url('STEAM_API_URL', ['https:', 'http:']) ?? 'https://api.steampowered.com'
    ).replace(/\/+$/, ''),
    allow_private_issuers: choice('ALLOW_PRIVATE_ISSUERS', ['false', 'true'], 'false') === 'true',
    allow_private_webhooks: choice('ALLOW_PRIVATE_WEBHOOKS', ['false', 'true'], 'false') === 'true',
    save_history_kb: integer('SAVE_HISTORY_KB', 1024, 0, 1_000_000),
    metrics_token: secret('METRICS_TOKEN', 16),
    staff_login: readStaffLogin(read),
    backup: readBackupSettings({ read, integer, s3 }),
    events_export_to: export_to === null ? null : readStorePlace(export_to, s3, 'EVENTS_EXPORT_TO'),
    s3,
  };
}

/** Returns `true` to trust every proxy, `false` to trust none, or a list of trusted addresses and ranges. */
function readTrustProxy(text: string | null): boolean | string[] {
  if (text === null || text === 'false') return false;
  if (text === 'true') return true;
  const proxies = text.split(',').map((part) => part.trim());
  const wrong = proxies.find((proxy) => !isAddressOrRange(proxy));
  if (wrong !== undefined) {
    throw new ConfigError(
      `TRUST_PROXY must be true, false or addresses such as 10.0.0.1, 10.0.0.0/8, loopback, but holds "${wrong}".`,
    );
  }
  return proxies;
}

/** The names of address ranges that TRUST_PROXY may contain. */
const NAMED_RANGES = ['loopback', 'linklocal', 'uniquelocal'];

function isAddressOrRange(text: string): boolean {
  if (NAMED_RANGES.includes(text)) return true;
  const [address = '', prefix, ...rest] = text.split('/');
  const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  if (bits === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && +prefix > 0 && +prefix <= bits);
}

function readOrigins(text: string | null): '*' | string[] {
  if (text === null || text === '*') return '*';
  const origins = text.split(',').map((part) => part.trim().replace(/\/$/, ''));
  const wrong = origins.find(
    (origin) => !URL.canParse(origin) || new URL(origin).origin !== origin,
  );
  if (wrong !== undefined) {
    throw new ConfigError(
      `CORS_ORIGINS must be * or origins such as https://game.example, but holds "${wrong}".`,
    );
  }
  return origins;
}

/** Reads the address of the dashboard, which is always at the root of its host. */
function readPublicUrl(text: string): string {
  const { origin, href } = new URL(text);
  if (href !== `${origin}/`) {
    throw new ConfigError(
      `PUBLIC_URL must be an address without a path, such as ${origin}: the dashboard needs a host of its own.`,
    );
  }
  return origin;
}

/** Makes a secret for signing tokens: 48 random bytes as text. */
export const makeSecret = () => randomBytes(48).toString('base64url');
