import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { readAll, readStorage } from '../packages/server/src/cli/archive/test/whole-database.ts';
import { makeEmptyDatabase } from '../packages/server/test/copy-database.ts';
import { makeFullGame } from '../packages/server/test/full-game.ts';
import { startTestServer } from '../packages/server/test/harness.ts';
import type { RequestOptions } from '../packages/server/test/test-request.ts';
import { callCli } from '../packages/server/test/run-cli.ts';
import { findCitus, startCitus } from './machine/citus.ts';
import { startExternalPostgres } from './machine/external-postgres.ts';
import { makeFolder } from './machine/folder.ts';

/** Texts that locales sort or fold in different ways, each with another spelling. */
const SPELLINGS = {
  ЖУРНАЛ: 'журнал',
  İpek: 'ipek',
  Irmak: 'irmak',
  Straße: 'sTRAßE',
  ΟΔΟΣ: 'οδος',
  Zürich: 'ZÜRICH',
  äpfel: 'ÄPFEL',
};
const BOARD = 'names';
const PASSWORD = 'a password of my own';
const GROUPS_OF_CLUSTER = '4';

/** A kind of database. */
interface Place {
  makeDatabase(): Promise<string>;
  groups: string;
}

test('a backup of any kind of database restores every row into another kind, which answers alike', async (t) => {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await makeFolder());
  const places = await startPlaces(stack, (kind) => t.diagnostic(`This machine has no ${kind}.`));

  const run = async (url: string, args: string[], groups: string) => {
    const result = await callCli(args, { DATABASE_URL: url, TENANT_GROUPS: groups });
    assert.equal(result.code, 0, result.stderr);
  };
  const restore = async (name: string, file: string) => {
    const { makeDatabase, groups } = places.get(name)!;
    const url = await makeDatabase();
    await run(url, ['restore', file], groups);
    return url;
  };
  const read = async (url: string) => [await readAll(url, false), await readStorage(url)];

  const source = await places.get('bundled')!.makeDatabase();
  await run(source, ['migrate'], '1');
  const game_id = await fill(source);
  const rows = await read(source);
  const files = new Map([['bundled', join(folder.path, 'bundled.ndjson.gz')]]);
  await run(source, ['backup', files.get('bundled')!, '--with-secrets'], '1');
  const answers = await ask(source, game_id);
  for (const [name, { groups }] of places) {
    if (name === 'bundled') continue;
    const url = await restore(name, files.get('bundled')!);
    assert.deepEqual(await read(url), rows, `bundled to ${name}`);
    const file = join(folder.path, `${name.replace(' ', '-')}.ndjson.gz`);
    await run(url, ['backup', file, '--with-secrets'], groups);
    files.set(name, file);
    assert.deepEqual(await ask(url, game_id), answers, name);
  }
  // Each kind was restored from the first one. In a circle, each now takes the backup of the one before it.
  const names = [...places.keys()];
  for (const [place, from] of names.entries()) {
    const to = names[(place + 1) % names.length]!;
    if (from === 'bundled') continue;
    const restored = await restore(to, files.get(from)!);
    assert.deepEqual(await read(restored), rows, `${from} to ${to}`);
  }
});

/** Starts one PostgreSQL of each kind, and a cluster. */
async function startPlaces(
  stack: AsyncDisposableStack,
  lack: (kind: string) => void,
): Promise<Map<string, Place>> {
  const places = new Map<string, Place>();
  places.set('bundled', {
    groups: '1',
    async makeDatabase() {
      const { url, drop } = await makeEmptyDatabase();
      stack.defer(drop);
      return url;
    },
  });

  const external = stack.use(await startExternalPostgres({ settings: ['fsync=off'] }));
  let count = 0;
  const addExternal = (name: string, locale: string) =>
    places.set(name, {
      groups: '1',
      async makeDatabase() {
        const database = `place_${++count}`;
        const client = new pg.Client(external.url);
        await client.connect();
        await client.query(
          `CREATE DATABASE ${database} TEMPLATE template0 ENCODING 'UTF8' ${locale}`,
        );
        await client.end();
        return external.url.replace(/postgres$/, database);
      },
    });
  addExternal('external ICU', `LOCALE_PROVIDER icu ICU_LOCALE 'und' LOCALE 'C'`);
  addExternal('external C', `LOCALE_PROVIDER libc LOCALE 'C'`);
  if (hasTurkish()) addExternal('external Turkish', `LOCALE_PROVIDER libc LOCALE 'tr_TR.UTF-8'`);
  else lack('locale tr_TR.UTF-8');

  const citus = findCitus();
  if (citus === null) lack('Citus, or CITUS_BIN does not name it');
  else {
    const cluster = stack.use(await startCitus(citus, 2, ['fsync=off']));
    places.set('cluster', {
      groups: GROUPS_OF_CLUSTER,
      makeDatabase: () => cluster.makeDatabase(`place_${++count}`),
    });
  }
  return places;
}

const hasTurkish = () =>
  /^tr_TR\.utf-?8$/im.test(spawnSync('locale', ['-a'], { encoding: 'utf8' }).stdout ?? '');

/** Fills an installation with a game, accounts, players and scores. @returns the id of the game. */
async function fill(database_url: string): Promise<string> {
  await using server = await startTestServer({ database_url });
  const { game_id, owner, ...game } = await makeFullGame(server, {
    marker: 'ЖУРНАЛ İ ß ΟΔΟΣ',
    prefix: 'Ж',
  });
  const send = async (method: string, path: string, options: RequestOptions) => {
    const answer = await server.request(method, path, options);
    assert.ok(answer.status < 300, answer.text);
  };
  const setting = { player_name_property: 'name' };
  await send('PATCH', `/v1/games/${game_id}`, { token: owner.token, body: setting });
  const key = game.production_key;
  for (const [at, [name, spelling]] of Object.entries(SPELLINGS).entries()) {
    const account = { email: `${name}@studio.example`, password: PASSWORD };
    await send('POST', '/v1/auth/register', { body: account });
    for (const player_id of [name, `${spelling} 2`]) {
      const properties = { name: `The player ${player_id}` };
      await send('POST', '/v1/identify', { key, body: { player_id, properties } });
      const score = { board_name: BOARD, player_id, player_name: spelling, score: at };
      await send('POST', '/v1/leaderboards', { key, body: score });
    }
  }
  return game_id;
}

/** Asks an installation for everything whose answer depends on the order of texts, or on capital letters. */
async function ask(database_url: string, game_id: string): Promise<unknown> {
  await using server = await startTestServer({ database_url });
  const { token, account_id } = await server.makeAccount({ game_id, is_administrator: true });
  /** Reads all pages of a list. @returns the member `field` of each row. */
  const list = async (path: string, rows: string, field: string) => {
    const found: unknown[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const next: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { status, body, text } = await server.request('GET', `${path}&limit=2${next}`, {
        token,
      });
      assert.equal(status, 200, text);
      found.push(...body[rows].map((row: Record<string, unknown>) => row[field]));
      cursor = body.next_cursor;
    }
    return found;
  };
  const players = `/v1/games/${game_id}/players?environment=production`;
  const board = `/v1/games/${game_id}/leaderboards/${BOARD}/entries?environment=production`;
  const by_spelling: unknown[] = [];
  for (const text of Object.entries(SPELLINGS).flat()) {
    const body = { email: `${text}@studio.example`, password: PASSWORD };
    const entered = await server.request('POST', '/v1/auth/login', { body });
    const search = `&search=${encodeURIComponent(text)}`;
    const entries = await server.request('GET', `${board}${search}`, { token });
    by_spelling.push([
      text,
      entered.body.user.email,
      await list(`/v1/admin/users?${search}`, 'users', 'email'),
      await list(`${players}${search}&sort=player_id`, 'players', 'player_id'),
      entries.body.entries.map(({ player_id }: { player_id: string }) => player_id),
    ]);
  }
  const users = await list('/v1/admin/users?', 'users', 'id');
  return {
    by_spelling,
    users: users.filter((id) => id !== account_id),
    games: await list('/v1/admin/games?', 'games', 'id'),
    players: await list(`${players}&sort=player_id`, 'players', 'player_id'),
  };
}
