import { ConfigError } from './config-error.ts';
import { readStorePlace } from './stores/store-place.ts';
import type { S3Settings, StorePlace } from './stores/store-place.ts';

/** The backups that the server makes by itself. */
export interface BackupSettings {
  to: StorePlace;
  every_ms: number;
  /** The number of backups that are kept. */
  keep: number;
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
  s3: S3Settings;
}): BackupSettings | null {
  const { read, integer, s3 } = reading;
  const to = read('BACKUP_TO');
  const every = read('BACKUP_EVERY');
  const is_kept_set = read('BACKUP_KEEP') !== null;
  const keep = integer('BACKUP_KEEP', DEFAULT_KEPT, 1, 100_000);
  if (to !== null) {
    const every_ms = readInterval(every ?? DEFAULT_INTERVAL);
    return { to: readStorePlace(to, s3, 'BACKUP_TO'), every_ms, keep };
  }
  if (every === null && !is_kept_set) return null;
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
