import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import pg from 'pg';
import { runCli } from '../packages/server/test/run-cli.ts';
import { startExternalPostgres } from '../torture/machine/external-postgres.ts';

const script = fileURLToPath(new URL('make-database.sh', import.meta.url));
const hasPsql = spawnSync('psql', ['--version']).status === 0;

test(
  'the script of compose.yaml makes a role that is no superuser, whose database Overworld migrates',
  { skip: !hasPsql && 'psql was not found' },
  async () => {
    await using postgres = await startExternalPostgres();
    const port = String(postgres.port);
    const made = spawnSync('sh', [script], {
      env: { ...process.env, PGHOST: '127.0.0.1', PGPORT: port, POSTGRES_PASSWORD: `it's "safe"` },
      encoding: 'utf8',
    });
    assert.equal(made.status, 0, made.stderr);
    const client = new pg.Client(postgres.url);
    await client.connect();
    const { rows } = await client.query(
      `SELECT rolname, rolsuper, rolpassword IS NOT NULL AS has_password FROM pg_authid
       WHERE rolname IN ('overworld', 'postgres') ORDER BY rolname`,
    );
    await client.end();
    assert.deepEqual(rows, [
      { rolname: 'overworld', rolsuper: false, has_password: true },
      { rolname: 'postgres', rolsuper: true, has_password: false },
    ]);
    const DATABASE_URL = `postgres://overworld@127.0.0.1:${port}/overworld`;
    const migrated = await runCli(['migrate'], { DATABASE_URL });
    assert.equal(migrated.code, 0, migrated.stderr);
  },
);
