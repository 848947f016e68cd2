import { resolve } from 'node:path';
import { ConfigError } from './config-error.ts';

/** The access to servers of the S3 protocol. The names of the settings are those of all tools for S3. */
export interface S3Access {
  /** The address of the server, without a slash at the end. */
  endpoint: string;
  region: string;
  access_key_id: string;
  secret_access_key: string;
}

/** A bucket, and the beginning of the names of its objects: empty, or with a slash at the end. */
export interface S3Place {
  bucket: string;
  prefix: string;
  access: S3Access;
}

/** A folder or a bucket. */
export type BackupPlace = { folder: string } | S3Place;

/** The backups that the server makes by itself. */
export interface BackupSettings {
  to: BackupPlace;
  every_ms: number;
  /** The number of backups that are kept. */
  keep: number;
}

/** The settings of S3 as they are given; null: unset. */
export interface S3Settings {
  endpoint: string | null;
  region: string | null;
  access_key_id: string | null;
  secret_access_key: string | null;
}

const DEFAULT_INTERVAL = '24h';
const DEFAULT_KEPT = 14;

const MINUTE_MS = 60_000;
const UNITS_MS: Record<string, number> = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: 1_440 * MINUTE_MS };
const LONGEST_MS = 366 * UNITS_MS.d!;

/**
 * Reads the settings of the backups that the server makes by itself.
 * @throws ConfigError, whose sentence repeats no value that may hold a key.
 */
export function readBackupSettings(reading: {
  read: (name: string) => string | null;
  integer: (name: string, fallback: number, minimum: number, maximum: number) => number;
}): { backup: BackupSettings | null; s3: S3Settings } {
  const { read, integer } = reading;
  const s3 = {
    region: read('AWS_REGION'),
    endpoint: read('AWS_ENDPOINT_URL'),
    access_key_id: read('AWS_ACCESS_KEY_ID'),
    secret_access_key: read('AWS_SECRET_ACCESS_KEY'),
  };
  const to = read('BACKUP_TO');
  const every = read('BACKUP_EVERY');
  const is_kept_set = read('BACKUP_KEEP') !== null;
  const keep = integer('BACKUP_KEEP', DEFAULT_KEPT, 1, 100_000);
  if (to !== null) {
    const every_ms = readInterval(every ?? DEFAULT_INTERVAL);
    return { backup: { to: readBackupPlace(to, s3), every_ms, keep }, s3 };
  }
  if (every === null && !is_kept_set) return { backup: null, s3 };
  throw new ConfigError(
    `${every === null ? 'BACKUP_KEEP' : 'BACKUP_EVERY'} is set, and BACKUP_TO is not: set BACKUP_TO to a folder, or to a bucket such as s3://bucket/folder.`,
  );
}

/** Reads a duration such as `30m`, `12h` or `7d`. */
function readInterval(text: string): number {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const interval_ms = Number(count) * (UNITS_MS[unit!] ?? Number.NaN);
  if (interval_ms >= MINUTE_MS && interval_ms <= LONGEST_MS) return interval_ms;
  throw new ConfigError(
    'BACKUP_EVERY must be a time such as 30m, 12h or 7d: minutes, hours or days, from 1m to 366d.',
  );
}

/** Reads the folder or the address of a bucket in BACKUP_TO. */
function readBackupPlace(text: string, settings: S3Settings): BackupPlace {
  if (text.startsWith('s3://')) return readS3Place(text, settings, 'BACKUP_TO');
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text) && !text.includes('\0')) {
    return { folder: resolve(text) };
  }
  throw new ConfigError(
    'BACKUP_TO must be a folder, or a bucket such as s3://bucket/folder; AWS_ENDPOINT_URL names the server of the bucket.',
  );
}

const ADDRESS = /^s3:\/\/([A-Za-z0-9][A-Za-z0-9._-]{1,254})((?:\/[A-Za-z0-9._-]+)*)\/?$/;

/**
 * Reads the address of a bucket, or of a folder in it.
 * @param name Names the address in sentences.
 */
export function readS3Place(text: string, settings: S3Settings, name: string): S3Place {
  const [, bucket, path] = ADDRESS.exec(text) ?? [];
  if (bucket === undefined || /\/\.{1,2}(?:\/|$)/.test(path!)) {
    throw new ConfigError(
      `${name} must be an address such as s3://bucket/folder, of letters, digits, dots, hyphens and underscores, and without keys: these are in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`,
    );
  }
  const { access_key_id, secret_access_key } = settings;
  if (access_key_id === null || secret_access_key === null) {
    const missing = access_key_id === null ? 'AWS_ACCESS_KEY_ID' : 'AWS_SECRET_ACCESS_KEY';
    throw new ConfigError(`${missing} must be set, because ${name} names a bucket.`);
  }
  const region = settings.region ?? 'us-east-1';
  if (!/^[a-z0-9-]+$/.test(region)) {
    throw new ConfigError('AWS_REGION must be a name such as eu-central-1.');
  }
  const endpoint = readEndpoint(settings.endpoint ?? `https://s3.${region}.amazonaws.com`);
  const prefix = path === '' ? '' : `${path!.slice(1)}/`;
  return { bucket, prefix, access: { endpoint, region, access_key_id, secret_access_key } };
}

function readEndpoint(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href) {
    return url.origin;
  }
  throw new ConfigError(
    'AWS_ENDPOINT_URL must be an address without keys and without a bucket, such as https://s3.example.',
  );
}
