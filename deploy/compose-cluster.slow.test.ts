import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { runCli } from '../packages/server/test/run-cli.ts';
import { findCitus } from '../torture/machine/citus.ts';
import { startExternalPostgres } from '../torture/machine/external-postgres.ts';
import type { ExternalPostgres } from '../torture/machine/external-postgres.ts';

const bin = findCitus();
const { services } = parse(readFileSync(new URL('compose-cluster.yaml', import.meta.url), 'utf8'), {
  merge: true,
}) as { services: Record<string, { command: string | string[] }> };
const NODES = ['coordinator', 'worker-1', 'worker-2'];

/**
 * Starts a node as the image of Citus does: loads Citus, and makes its extension in the user's database.
 */
async function startNode(name: string): Promise<ExternalPostgres> {
  const { command } = services[name]!;
  const settings = [...(command as string).matchAll(/-c (\S+)/g)].map(([, setting]) => setting!);
  const node = await startExternalPostgres({
    bin: bin!,
    settings: ['shared_preload_libraries=citus', ...settings, 'shared_buffers=64MB'],
  });
  runPsql(node, 'postgres', [
    '--username=postgres',
    '--command=CREATE ROLE overworld SUPERUSER LOGIN',
    '--command=CREATE DATABASE overworld OWNER overworld',
  ]);
  runPsql(node, 'overworld', ['--username=overworld', '--command=CREATE EXTENSION citus']);
  return node;
}

function runPsql({ port }: ExternalPostgres, database: string, args: string[]): void {
  const { status, stderr } = spawnSync(
    join(bin!, 'psql'),
    [
      '--host=127.0.0.1',
      `--port=${port}`,
      `--dbname=${database}`,
      '--set=ON_ERROR_STOP=1',
      ...args,
    ],
    { encoding: 'utf8' },
  );
  assert.equal(status, 0, stderr);
}

test(
  'the nodes of compose-cluster.yaml form a cluster, and the groups of games spread over the workers',
  { skip: bin === null && 'CITUS_BIN names no PostgreSQL with Citus' },
  async () => {
    await using stack = new AsyncDisposableStack();
    const nodes: ExternalPostgres[] = [];
    for (const name of NODES) nodes.push(stack.use(await startNode(name)));
    const [coordinator, worker, other] = nodes as [
      ExternalPostgres,
      ExternalPostgres,
      ExternalPostgres,
    ];
    const [, ...args] = services.join!.command as string[];
    // In this test, nodes have no host names, and each node has its own port.
    const localArgs = args
      .filter((arg) => !arg.startsWith('--host'))
      .map((arg) =>
        arg
          .replace(`'coordinator', 5432`, `'127.0.0.1', ${coordinator.port}`)
          .replace(
            `citus_add_node(name, 5432) FROM unnest(ARRAY['worker-1', 'worker-2']) AS name`,
            `citus_add_node('127.0.0.1', port) FROM unnest(ARRAY[${worker.port}, ${other.port}]) AS port`,
          ),
      );
    runPsql(coordinator, 'overworld', localArgs);
    // The service runs again with each `docker compose up`.
    runPsql(coordinator, 'overworld', localArgs);

    const DATABASE_URL = `postgres://overworld@127.0.0.1:${coordinator.port}/overworld`;
    const run = async (...words: string[]) => {
      const { code, stdout, stderr } = await runCli(words, { DATABASE_URL, TENANT_GROUPS: '2' });
      assert.equal(code, 0, stderr);
      return stdout;
    };
    await run('migrate');
    const status = await run('cluster');
    for (const { port } of [worker, other]) {
      assert.match(status, new RegExp(`^127.0.0.1:${port} +worker +1 `, 'm'));
    }
  },
);
