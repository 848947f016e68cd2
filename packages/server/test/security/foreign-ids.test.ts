import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Operation } from '@overworld/contract/operation';
import { OPERATIONS } from '@overworld/contract/operations';
import { makeFullGame } from '../full-game.ts';
import { callValid, ownCredentials, validRequest } from '../valid-request.ts';
import type { FullGame } from '../full-game.ts';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import type { RequestOptions } from '../test-request.ts';
import { sweep } from '../long-forms.ts';
import { readGameRows } from '../whole-database.ts';

/**
 * Tests with two studios whose games use the same names for everything. With its own credentials, a studio
 * can neither see nor change anything of the other studio, whether it sends its own ids or the other
 * studio's.
 */

const MARKER = 'belongs-to-them';
/** Path parameters with ids that the server chooses. */
const GIVEN_IDS = [
  'key_id',
  'account_id',
  'invitation_id',
  'dashboard_id',
  'annotation_id',
  'release_id',
  'link_id',
  'session_id',
  'device_id',
  'passkey_id',
  'alert_id',
  'webhook_id',
  'delivery_id',
  'token_id',
];

let server: TestServer;
let theirs: FullGame;
/** One game for all operations, except for those that delete what other operations need. */
let ours: FullGame;
let rows: string[];

before(async () => {
  server = await startTestServer();
  theirs = await makeFullGame(server, { marker: MARKER });
  ours = await makeOurs();
  rows = await readGameRows(server.database, theirs.game_id);
  assert.ok(rows.length > 40);
});
after(() => server.close());

/** Tells whether an operation deletes something, or ends sessions. */
const isTakingAway = ({ id, method, access }: Operation) =>
  method === 'DELETE' || id === 'erasePlayer' || (access === 'account' && method !== 'GET');

const makeOurs = () => makeFullGame(server, { marker: 'ours' });

async function call(operation: Operation, params: Record<string, string>, options: RequestOptions) {
  const { path, body } = validRequest(operation, params);
  const answer = await server.request(operation.method, path, { body, ...options });
  const shown = `${operation.id} ${path}: ${answer.status} ${answer.text}`;
  assert.ok(!answer.text.includes(MARKER), shown);
  assert.ok(!JSON.stringify([...answer.headers]).includes(MARKER), shown);
  return { ...answer, shown };
}

suite('a studio neither sees nor changes anything of another studio', { concurrency: 4 }, () => {
  after(async () => {
    assert.deepEqual(await readGameRows(server.database, theirs.game_id), rows);
  });

  for (const operation of sweep(OPERATIONS.filter(({ access }) => access !== 'anyone'))) {
    const given = Object.keys(operation.params?.properties ?? {}).filter((name) =>
      GIVEN_IDS.includes(name),
    );

    test(operation.id, async () => {
      const game = isTakingAway(operation) ? await makeOurs() : ours;
      const own = ownCredentials(operation, game);
      for (const name of given) {
        const { status, shown } = await call(
          operation,
          { ...game.params, ...theirs.params, game_id: game.game_id },
          own,
        );
        const wanted = operation.access === 'administrator' ? 403 : 404;
        assert.equal(status, wanted, `${name}: ${shown}`);
      }
      const foreign = await call(operation, theirs.params, own);
      if (operation.path.includes('{game_id}')) {
        const wanted = operation.access === 'administrator' ? 403 : 404;
        assert.equal(foreign.status, wanted, foreign.shown);
      }
      if (operation.access === 'key_or_account') {
        const { status, shown } = await call(operation, theirs.params, { token: game.owner.token });
        assert.equal(status, 404, shown);
      }
      await call(operation, game.params, own);
    });
  }
});

test('when the other studio makes the same calls, more than twenty answers have its marker', async () => {
  const operations = OPERATIONS.filter(
    ({ method, access }) => method === 'GET' && access !== 'anyone',
  );
  const answers = await Promise.all(
    operations.map((operation) => callValid(server, operation, theirs)),
  );
  const shown = answers.filter(({ text }) => text.includes(MARKER));
  assert.ok(shown.length > 20, `${shown.length} of ${answers.length}`);
});
