import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError } from './config-error.ts';
import { readConfig } from './config.ts';

const KEYS = { AWS_ACCESS_KEY_ID: 'AKIA1', AWS_SECRET_ACCESS_KEY: 'hunter2/+=' };

test('BACKUP_TO alone makes a backup every day and keeps fourteen', () => {
  assert.equal(readConfig({}).backup, null);
  assert.deepEqual(readConfig({ BACKUP_TO: '/var/backups' }).backup, {
    to: { folder: '/var/backups' },
    every_ms: 86_400_000,
    keep: 14,
  });
});

test('a bucket has the server, the region and the keys of the usual settings', () => {
  const read = (env: Record<string, string>) =>
    readConfig({ BACKUP_TO: 's3://studio.backups/overworld/eu', ...KEYS, ...env }).backup!.to;
  const access = { region: 'us-east-1', access_key_id: 'AKIA1', secret_access_key: 'hunter2/+=' };
  assert.deepEqual(read({}), {
    bucket: 'studio.backups',
    prefix: 'overworld/eu/',
    access: { ...access, endpoint: 'https://s3.us-east-1.amazonaws.com' },
  });
  const own = { AWS_ENDPOINT_URL: 'http://10.0.0.9:9000/', AWS_REGION: 'garage' };
  assert.deepEqual(read({ ...own, BACKUP_TO: 's3://backups/' }), {
    bucket: 'backups',
    prefix: '',
    access: { ...access, endpoint: 'http://10.0.0.9:9000', region: 'garage' },
  });
});

test('an interval is in minutes, hours or days', () => {
  const times = { '1m': 60_000, '90m': 5_400_000, '6h': 21_600_000, '7d': 604_800_000 };
  for (const [BACKUP_EVERY, every_ms] of Object.entries(times)) {
    assert.equal(readConfig({ BACKUP_TO: 'b', BACKUP_EVERY }).backup!.every_ms, every_ms);
  }
});

test('a wrong setting is refused by its name, without a key in the sentence', () => {
  const wrong: [Record<string, string>, RegExp][] = [
    [{ BACKUP_EVERY: '6h' }, /^BACKUP_EVERY is set, and BACKUP_TO is not/],
    [{ BACKUP_KEEP: '3' }, /^BACKUP_KEEP is set, and BACKUP_TO is not/],
    ...['6', '0h', '1.5h', '6 h', '-1h', '1s', '367d', '999999d', 'daily'].map(
      (BACKUP_EVERY): [Record<string, string>, RegExp] => [
        { BACKUP_TO: 'b', BACKUP_EVERY },
        /^BACKUP_EVERY must be a time such as/,
      ],
    ),
    ...['0', '-1', '1.5', 'all', '1e3'].map((BACKUP_KEEP): [Record<string, string>, RegExp] => [
      { BACKUP_TO: 'b', BACKUP_KEEP },
      /^BACKUP_KEEP must be a whole number/,
    ]),
    ...['https://bucket.s3.example/a', 'S3://b', 'ftp://hunter2@host'].map(
      (BACKUP_TO): [Record<string, string>, RegExp] => [
        { BACKUP_TO, ...KEYS },
        /^BACKUP_TO must be a folder, or a bucket/,
      ],
    ),
    ...[
      's3://',
      's3:///a',
      's3://key:hunter2@bucket/a',
      's3://b',
      's3://bucket/../a',
      's3://bucket//a',
      's3://bucket/ü',
    ].map((BACKUP_TO): [Record<string, string>, RegExp] => [
      { BACKUP_TO, ...KEYS },
      /^BACKUP_TO must be an address such as/,
    ]),
    [{ BACKUP_TO: 's3://bucket' }, /^AWS_ACCESS_KEY_ID must be set/],
    [{ BACKUP_TO: 's3://bucket', AWS_ACCESS_KEY_ID: 'a' }, /^AWS_SECRET_ACCESS_KEY must be set/],
    [{ BACKUP_TO: 's3://bucket', ...KEYS, AWS_REGION: 'EU West' }, /^AWS_REGION must be/],
    ...[
      's3.example',
      'ftp://s3.example',
      'https://a:hunter2@s3.example',
      'https://s3.example/b',
    ].map((AWS_ENDPOINT_URL): [Record<string, string>, RegExp] => [
      { BACKUP_TO: 's3://bucket', ...KEYS, AWS_ENDPOINT_URL },
      /^AWS_ENDPOINT_URL must be an address without keys/,
    ]),
  ];
  for (const [env, words] of wrong) {
    assert.throws(
      () => readConfig(env),
      (error: Error) => {
        assert.ok(error instanceof ConfigError, JSON.stringify(env));
        assert.match(error.message, words, JSON.stringify(env));
        assert.doesNotMatch(error.message, /hunter2/);
        return true;
      },
    );
  }
});
