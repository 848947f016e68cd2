import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { waitUntil } from '../../../../test/wait-until.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeTestPartition } from '../../../../test/past-day.ts';
import { makeLargeGame, reportPath } from '../test/event-table.ts';

let server: TestServer;

before(async () => {
  server = await startTestServer({ env: { TRUST_PROXY: 'true' }, stalled_reader_ms: 3_000 });
  await makeTestPartition(server);
});
after(() => server.close());

/** Counts the database sessions of exports that run a statement or have an open transaction. */
const countReaders = async () => {
  const row = await server.database.queryOne<{ reading: number }>(sql`
    SELECT count(*) AS reading FROM pg_stat_activity
    WHERE application_name = 'overworld-explore' AND datname = current_database()
      AND state <> 'idle'`);
  return row!.reading;
};

test('a large export reads one page of events at a time, and only as fast as the client reads', async () => {
  const count = 60_000;
  const { game_id, headers } = await makeLargeGame(server, count);
  const url = server.url + reportPath(game_id, 'events/export', {});
  const response = await fetch(url, { headers });
  const reader = response.body!.getReader();
  const parts = [(await reader.read()).value!];
  // The client does not read on, so the export stops too, and leaves no transaction open.
  await waitUntil('the export waits for its client', async () => (await countReaders()) === 0);
  // Events that are deleted now will not be in the file, because the export has not read them yet and holds
  // no snapshot.
  await server.database.execute(
    sql`DELETE FROM events WHERE game_id = ${game_id} AND id > ${count / 2}`,
  );
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
  }
  const lines = Buffer.concat(parts).toString().trimEnd().split('\n');
  assert.equal(lines.length, count / 2);
  assert.equal(JSON.parse(lines.at(-1)!).properties.number, count / 2);
});

test('a large Parquet file has several row groups', async () => {
  const count = 60_000;
  const { game_id, headers } = await makeLargeGame(server, count);
  const parquet = await fetch(
    server.url + reportPath(game_id, 'events/export', { format: 'parquet' }),
    {
      headers,
    },
  );
  const file = await parquet.arrayBuffer();
  const metadata = await parquetMetadataAsync(file);
  assert.equal(metadata.num_rows, BigInt(count));
  assert.ok(metadata.row_groups.length > 1);
  const rows = await parquetReadObjects({ file, columns: ['id', 'properties'] });
  assert.ok(
    rows.every(({ id, properties }, index) => {
      return id === BigInt(index + 1) && String(properties).includes(`"number": ${index + 1}`);
    }),
  );
});

test('an export whose reading fails on the way is cut off, so that no part looks like a whole file', async () => {
  const { game_id, headers } = await makeLargeGame(server, 60_000);
  for (const format of ['ndjson', 'csv', 'parquet']) {
    const response = await fetch(server.url + reportPath(game_id, 'events/export', { format }), {
      headers,
    });
    const reader = response.body!.getReader();
    const parts = [(await reader.read()).value!];
    const readOn = async () => {
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        parts.push(part.value);
      }
    };
    await server.database.ofGame(game_id).transaction(async (locking) => {
      await locking.execute(sql`LOCK TABLE events`);
      const failed = assert.rejects(readOn(), format);
      await waitUntil('a statement of the export was ended', async () => {
        const ended = await server.database.query(sql`
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE application_name = 'overworld-explore' AND datname = current_database()
            AND wait_event_type = 'Lock'`);
        return ended.length > 0;
      });
      await failed;
    });
    if (format === 'parquet') {
      assert.notEqual(Buffer.concat(parts).subarray(-4).toString(), 'PAR1');
    }
  }
});

/** Starts an export over a connection, and stops reading after the first bytes. */
async function openUnread(path: string, authorization: string, from: string): Promise<Socket> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nX-Forwarded-For: ${from}\r\n\r\n`,
  );
  await once(socket, 'readable');
  return socket;
}

test('exports that are not read block no other export, and are cut off', async () => {
  const { game_id, headers } = await makeLargeGame(server, 20_000);
  const path = reportPath(game_id, 'events/export', {});
  const colleague = await server.makeAccount({ game_id });
  const takeAll = async (authorization: string, from: string) => {
    const response = await fetch(server.url + path, {
      headers: { authorization, 'x-forwarded-for': from },
    });
    assert.equal(response.status, 200);
    assert.equal((await response.text()).trimEnd().split('\n').length, 20_000);
  };
  const unread = [
    await openUnread(path, headers.authorization, '192.0.2.1'),
    await openUnread(path, headers.authorization, '192.0.2.1'),
  ];
  const cut = Promise.all(unread.map((socket) => once(socket, 'close')));
  await takeAll(`Bearer ${colleague.token}`, '192.0.2.1');
  await takeAll(`Bearer ${colleague.token}`, '192.0.2.2');
  // The account that started the two exports must wait until they are cut off.
  await takeAll(headers.authorization, '192.0.2.1');
  unread.forEach((socket) => socket.resume());
  await cut;
});
