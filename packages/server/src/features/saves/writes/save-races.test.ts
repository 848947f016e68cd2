import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import type { TestServer } from '../../../../test/harness.ts';
import type { TestAnswer } from '../../../../test/test-request.ts';
import { countCases } from '../../../../test/long-forms.ts';
import { useTwoServers } from '../../../../test/two-servers.ts';

/** Two nodes on one database. */
const nodes = useTwoServers();
let key: string;

before(async () => {
  key = (await nodes[0].makeGame()).production_key;
});

let players = 0;
const makePlayer = () => `player-${++players}`;

const nodeAt = (index: number) => nodes[index % 2]!;
const put = (node: TestServer, player_id: string, data: object, version?: number) =>
  node.request('PUT', '/v1/saves', { key, body: { player_id, data, version } });
const get = (player_id: string, node = nodes[0]) =>
  node.request('GET', `/v1/saves?player_id=${player_id}`, { key });
const remove = (node: TestServer, player_id: string) =>
  node.request('DELETE', `/v1/saves?player_id=${player_id}`, { key });

const countStatuses = (answers: TestAnswer[]) =>
  Object.fromEntries(
    Object.entries(Object.groupBy(answers, ({ status }) => status)).map(([status, same]) => [
      status,
      same!.length,
    ]),
  );
const withStatus = (answers: TestAnswer[], status: number) =>
  answers.filter((answer) => answer.status === status);

/** Runs `work` forty times concurrently. */
const forty = <T>(work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: 40 }, (_, index) => work(index)));

for (const [name, pick] of [
  ['one node', () => nodes[0]],
  ['two nodes', nodeAt],
] as const) {
  test(`of 40 saves on ${name} that all change the same version, one gets 200, and 39 get 409`, async () => {
    const player_id = makePlayer();
    await put(nodes[0], player_id, { saver: 'first' });
    const answers = await forty((index) => put(pick(index), player_id, { saver: index }, 1));
    assert.deepEqual(countStatuses(answers), { 200: 1, 409: 39 });
    const [winner] = withStatus(answers, 200);
    assert.equal(winner!.body.version, 2);
    const conflicts = withStatus(answers, 409);
    for (const { body } of conflicts) {
      assert.deepEqual(body, {
        error: 'Version conflict',
        server_version: 2,
        server_data: { saver: answers.indexOf(winner!) },
        updated_at: winner!.body.updated_at,
      });
    }
  });

  test(`40 first saves on ${name} get the versions 1 to 40, and version 40 is loaded`, async () => {
    const player_id = makePlayer();
    const answers = await forty((index) => put(pick(index), player_id, { saver: index }));
    assert.deepEqual(countStatuses(answers), { 200: 40 });
    const versions = answers.map(({ body }) => body.version as number);
    assert.deepEqual(
      versions.toSorted((a, b) => a - b),
      Array.from({ length: 40 }, (_, index) => index + 1),
    );
    const loaded = (await get(player_id, nodes[1])).body;
    assert.equal(loaded.version, 40);
    assert.deepEqual(loaded.data, { saver: versions.indexOf(40) });
  });

  test(`of 40 deletions on ${name}, one gets 204, and 39 get 404`, async () => {
    const player_id = makePlayer();
    await put(nodes[0], player_id, {});
    const answers = await forty((index) => remove(pick(index), player_id));
    assert.deepEqual(countStatuses(answers), { 204: 1, 404: 39 });
  });
}

test('each of 40 concurrent loads gets the save of its own player, or no save', async () => {
  const ids = Array.from({ length: 40 }, makePlayer);
  await Promise.all(
    ids.map((id, index) => index % 3 > 0 && put(nodeAt(index), id, { is: id, index })),
  );
  const answers = await Promise.all(ids.map((id) => get(id)));
  answers.forEach(({ status, body }, index) => {
    const data = index % 3 > 0 ? { is: ids[index], index } : null;
    assert.deepEqual([status, body.data], [data ? 200 : 404, data]);
  });
});

type Step =
  | { kind: 'put'; node: number; version: 'none' | 'current' | 'behind' | 'wild' }
  | { kind: 'delete'; node: number }
  | { kind: 'get'; node: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('put' as const),
      node: fc.nat(1),
      version: fc.constantFrom('none', 'current', 'behind', 'wild'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('delete' as const), node: fc.nat(1) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('get' as const), node: fc.nat(1) }) },
);

test('any sequence of PUT, DELETE and GET on two nodes is answered as by a simple model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const player_id = makePlayer();
      const model = { version: 0, data: null as object | null };
      for (const [index, next] of steps.entries()) {
        const node = nodeAt(next.node);
        if (next.kind === 'put') {
          const data = { step: index };
          const sent = { none: undefined, current: model.version, behind: 1, wild: 1_000_000 };
          const version = sent[next.version];
          const answer = await put(node, player_id, data, version);
          if (model.data === null || version === undefined || version === model.version) {
            model.version++;
            model.data = data;
            assert.deepEqual([answer.status, answer.body.version], [200, model.version]);
          } else {
            const { server_version, server_data } = answer.body;
            assert.deepEqual(
              [answer.status, server_version, server_data],
              [409, model.version, model.data],
            );
          }
        } else if (next.kind === 'delete') {
          const answer = await remove(node, player_id);
          assert.equal(answer.status, model.data === null ? 404 : 204);
          model.data = null;
        } else {
          const answer = await get(player_id, node);
          assert.equal(answer.status, model.data === null ? 404 : 200);
          assert.deepEqual(answer.body.data, model.data);
        }
      }
    }),
    { numRuns: countCases(25) },
  );
});

test('concurrent requests on two nodes are answered as if they came in some order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 25 }), async (steps) => {
      const player_id = makePlayer();
      const first = await put(nodes[0], player_id, { step: 'first' });
      const sent = { none: undefined, current: 1, behind: 0, wild: 1_000_000 };
      const answers = await Promise.all(
        steps.map((next, index) => {
          const node = nodeAt(next.node);
          if (next.kind === 'delete') return remove(node, player_id);
          if (next.kind === 'get') return get(player_id, node);
          return put(node, player_id, { step: index }, sent[next.version]);
        }),
      );

      // Every version was given once, without gaps, and holds the data of the request that stored it.
      const data = new Map<number, unknown>([[1, { step: 'first' }]]);
      steps.forEach((next, index) => {
        const { status, body } = answers[index]!;
        if (next.kind === 'put' && status === 200) {
          assert.ok(!data.has(body.version), 'a version was given twice');
          data.set(body.version, { step: index });
        }
      });
      assert.equal(first.status, 200);
      assert.equal(Math.max(...data.keys()), data.size);

      const deletions = steps.filter(({ kind }, index) => {
        return kind === 'delete' && answers[index]!.status === 204;
      }).length;
      steps.forEach((next, index) => {
        const { status, body } = answers[index]!;
        if (next.kind === 'put' && status === 409) {
          assert.notEqual(next.version, 'none');
          assert.deepEqual(body.server_data, data.get(body.server_version));
          assert.notEqual(body.server_version, sent[next.version]);
        }
        if (next.kind === 'put' && status === 200 && deletions === 0 && next.version !== 'none') {
          assert.equal(body.version, sent[next.version]! + 1);
        }
        if (next.kind === 'get' && status === 200) {
          assert.deepEqual(body.data, data.get(body.version));
        }
      });
      // Each deletion deleted a different save.
      assert.ok(deletions <= data.size);
      const last = await get(player_id);
      if (last.status === 200) assert.equal(last.body.version, data.size);
      else assert.ok(deletions > 0);
    }),
    { numRuns: countCases(40) },
  );
});
