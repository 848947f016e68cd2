import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { before, test } from 'node:test';
import { TIERS } from '@overworld/contract/tiers';
import { sql } from '../../../platform/database/sql.ts';
import type { TestGame } from '../../../../test/harness.ts';
import type { TestAnswer } from '../../../../test/test-request.ts';
import { IS_SPREAD } from '../../../../test/test-database.ts';
import { useTwoServers } from '../../../../test/two-servers.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { ApiError } from '../../../platform/errors.ts';
import type { IncomingRequest } from '../inbox/incoming-requests.ts';
import { callerOf } from '../test/key-caller.ts';
import { deleteExpiredRequests } from './idempotency-store.ts';
import { storeOnce } from './store-once.ts';
import type { Outcome } from './store-once.ts';

const servers = useTwoServers();
let game: TestGame;

before(async () => {
  game = await servers[0].makeGame();
});

const event = { event_name: 'e', session_id: 's' };

interface Sent {
  key?: string;
  node?: 0 | 1;
  body?: unknown;
}

/** Keys are stored as hashes. */
const storedAs = (idempotency_key: string) => hash('sha256', idempotency_key, 'hex');

const track = (idempotency_key: string, { key, node = 0, body = event }: Sent = {}) =>
  servers[node].request('POST', '/v1/track', {
    key: key ?? game.production_key,
    body,
    headers: { 'idempotency-key': idempotency_key },
  });

async function countUsed({ game_id }: TestGame): Promise<number> {
  const row = await servers[0].database.queryOne<{ used: number }>(
    sql`SELECT used FROM event_usage WHERE game_id = ${game_id}`,
  );
  return row?.used ?? 0;
}

const sameAnswers = (answers: TestAnswer[]) =>
  assert.equal(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1);

test('a repeat gets the first answer and stores nothing, on every node', async () => {
  const first = await track('repeat', { body: [event, event] });
  assert.equal(first.status, 202);
  await track('another');
  const used = await countUsed(game);
  sameAnswers([
    first,
    await track('repeat', { body: [event, event] }),
    await track('repeat', { body: [event, event], node: 1 }),
  ]);
  assert.equal(await countUsed(game), used);
});

test('the same key with another body answers 400', async () => {
  await track('body');
  const other = await track('body', { body: { ...event, session_id: 'other' } });
  assert.equal(other.status, 400);
  assert.equal(other.body.error, 'Idempotency-Key was already used with another body');
});

test('two API keys may use the same Idempotency-Key', async () => {
  const used = await countUsed(game);
  await track('shared');
  await track('shared', { key: game.development_key, body: [event, event] });
  assert.equal(await countUsed(game), used + 3);
});

test('concurrent repeats on two nodes are stored once', async () => {
  for (let round = 0; round < 10; round++) {
    const used = await countUsed(game);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        track(`race-${round}`, { node: (index % 2) as 0 | 1 }),
      ),
    );
    sameAnswers(answers);
    assert.equal(answers[0]!.status, 202);
    assert.equal(await countUsed(game), used + 1);
  }
});

test('concurrent requests with one key and two bodies store one of the bodies', async () => {
  const used = await countUsed(game);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      track('two-bodies', {
        node: (index % 2) as 0 | 1,
        body: { ...event, session_id: `s${index % 4 > 1}` },
      }),
    ),
  );
  assert.equal(answers.filter(({ status }) => status === 202).length, 10);
  assert.equal(answers.filter(({ status }) => status === 400).length, 10);
  assert.equal(await countUsed(game), used + 1);
});

test('requests without a key are all stored, even if requests with keys arrive at the same time', async () => {
  const used = await countUsed(game);
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      index % 2
        ? servers[0].request('POST', '/v1/track', { key: game.production_key, body: event })
        : track(`mixed-${index % 10}`),
    ),
  );
  assert.ok(answers.every(({ status }) => status === 202));
  assert.equal(await countUsed(game), used + 20 + 5);
});

test('the keys of stored requests are remembered, even after the quota is used up, and the keys of refused requests are not', async () => {
  const { event_quota } = TIERS.free;
  const full = await servers[0].makeGame();
  const { production_key: key } = full;
  const malformed = await track('later', { key, body: {} });
  assert.equal(malformed.status, 400);
  await servers[0].database.execute(sql`
    INSERT INTO event_usage (game_id, month, used, last_accepted, quota)
    VALUES (${full.game_id}, date_trunc('month', now())::date, ${event_quota - 3}, 0, ${event_quota})`);
  const cut = await track('cut', { key, body: Array.from({ length: 5 }, () => event) });
  assert.equal(cut.body.received, 3);
  const refused = await Promise.all([track('later', { key }), track('later', { key })]);
  assert.deepEqual(
    refused.map(({ status }) => status),
    [429, 429],
  );
  sameAnswers([cut, await track('cut', { key, body: Array.from({ length: 5 }, () => event) })]);
  const other_body = await track('cut', { key });
  assert.equal(other_body.status, 400);
  const row = await servers[0].database.queryOne<{ count: number }>(sql`
    SELECT count(*) AS count FROM event_idempotency_keys WHERE game_id = ${full.game_id}`);
  assert.equal(row!.count, 1);
});

test('one statement stores a batch of requests with new keys, known keys, and keys that repeat in the batch', async () => {
  const own = await servers[0].makeGame();
  const caller = await callerOf(servers[0].database, own);
  const warning = (index: number) => ({ index, event_name: 'e', path: 'level', message: 'wrong' });
  const requestOf = (key: string | null, event_count = 1): IncomingRequest => ({
    caller,
    event_count,
    text: JSON.stringify(Array.from({ length: event_count }, () => event)),
    warnings: Array.from({ length: event_count }, (_, index) => warning(index)),
    warned: [],
    idempotency: key === null ? null : { key, body_hash: `hash of ${key}` },
  });
  let statements = 0;
  const group = servers[0].database.ofGame(own.game_id);
  const database: Database = {
    ...group,
    query(statement) {
      statements++;
      return group.query(statement);
    },
  };
  const answersOf = (outcomes: Outcome[]) => outcomes.map(({ answer }) => answer);
  const [known] = answersOf(await storeOnce(database, [requestOf('known', 2)]));
  statements = 0;
  const answers = answersOf(
    await storeOnce(database, [
      requestOf('new'),
      requestOf('known', 2),
      requestOf(null),
      requestOf('new'),
      requestOf('cut', 3),
      requestOf('refused'),
      requestOf('refused'),
    ]),
  );
  // On a cluster a batch takes several statements of one transaction.
  if (!IS_SPREAD) assert.equal(statements, 1);
  const stored = (received: number, remaining: number) => ({
    received,
    quota: { remaining, limit: 5 },
    warnings: Array.from({ length: received }, (_, index) => warning(index)),
  });
  assert.deepEqual(known, stored(2, 3));
  assert.deepEqual(answers.slice(0, 5), [
    stored(1, 2),
    known,
    stored(1, 1),
    stored(1, 2),
    stored(1, 0),
  ]);
  for (const answer of answers.slice(5)) assert.equal((answer as ApiError).status, 429);
  const repeats = ['cut', 'new'].map((key) => requestOf(key, key === 'cut' ? 3 : 1));
  assert.deepEqual(answersOf(await storeOnce(database, repeats)), [stored(1, 0), stored(1, 2)]);
});

test('after seven days a key is forgotten and can be used again', async () => {
  const own = await servers[0].makeGame();
  const { production_key: key } = own;
  await Promise.all([track('old', { key }), track('fresh', { key }), track('removed', { key })]);
  await servers[0].database.execute(sql`
    UPDATE event_idempotency_keys SET expires_at = now() - interval '1 minute'
    WHERE game_id = ${own.game_id} AND idempotency_key <> ${storedAs('fresh')}`);
  await track('old', { key, body: { ...event, session_id: 'new' } });
  await track('fresh', { key });
  assert.equal(await countUsed(own), 4);
  await deleteExpiredRequests(servers[0].database.ofGame(own.game_id));
  const rows = await servers[0].database.query<{ idempotency_key: string }>(sql`
    SELECT idempotency_key FROM event_idempotency_keys
    WHERE game_id = ${own.game_id} ORDER BY 1`);
  assert.deepEqual(
    rows.map(({ idempotency_key }) => idempotency_key),
    [storedAs('fresh'), storedAs('old')].toSorted(),
  );
});

test('a request whose key another node always stores first is answered 503, and nothing is stored', async () => {
  const database = servers[0].database.ofGame(game.game_id);
  // Fails each insertion, as if another node had always stored the key just after the look-up.
  await database.execute(sql`
    CREATE FUNCTION overtake() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE unique_violation USING CONSTRAINT = 'event_idempotency_keys_pkey',
        -- A node of a cluster tells the constraint by this alone.
        MESSAGE = 'duplicate key value violates unique constraint "event_idempotency_keys_pkey_102008"';
    END $$`);
  await database.execute({
    text: `CREATE TRIGGER overtake BEFORE INSERT ON event_idempotency_keys FOR EACH ROW
           WHEN (NEW.idempotency_key = '${storedAs('overtaken')}') EXECUTE FUNCTION overtake()`,
    values: [],
  });
  const used = await countUsed(game);
  const { status, headers } = await track('overtaken');
  assert.deepEqual([status, headers.get('retry-after')], [503, '1']);
  assert.equal(await countUsed(game), used);
  await database.execute(sql`DROP TRIGGER overtake ON event_idempotency_keys`);
  assert.equal((await track('overtaken')).status, 202);
});

test('Idempotency-Key has 1 to 255 characters', async () => {
  for (const [idempotency_key, error] of [
    ['', 'Idempotency-Key must not be empty'],
    ['k'.repeat(256), 'Idempotency-Key must have at most 255 characters'],
  ] as const) {
    const { status, body } = await track(idempotency_key);
    assert.deepEqual([status, body.error], [400, error]);
  }
  assert.equal((await track('k'.repeat(255))).status, 202);
});
