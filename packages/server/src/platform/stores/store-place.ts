import { resolve } from 'node:path';
import { ConfigError } from '../config-error.ts';

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
export type StorePlace = { folder: string } | S3Place;

/** The settings of S3 as they are given; null: unset. */
export interface S3Settings {
  endpoint: string | null;
  region: string | null;
  access_key_id: string | null;
  secret_access_key: string | null;
}

/** Reads the settings of S3. */
export const readS3Settings = (read: (name: string) => string | null): S3Settings => ({
  region: read('AWS_REGION'),
  endpoint: read('AWS_ENDPOINT_URL'),
  access_key_id: read('AWS_ACCESS_KEY_ID'),
  secret_access_key: read('AWS_SECRET_ACCESS_KEY'),
});

/**
 * Reads a folder, or the address of a bucket.
 * @param name The setting, for sentences.
 * @throws ConfigError, whose sentence repeats no value that may hold a key.
 */
export function readStorePlace(text: string, settings: S3Settings, name: string): StorePlace {
  if (text.startsWith('s3://')) return readS3Place(text, settings, name);
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text) && !text.includes('\0')) {
    return { folder: resolve(text) };
  }
  throw new ConfigError(
    `${name} must be a folder, or a bucket such as s3://bucket/folder; AWS_ENDPOINT_URL names the server of the bucket.`,
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
