import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { makeGameWith } from '../test/game-with-players.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

describe('property filters', () => {
  const samples = [
    ['n9', '{"v":9}'],
    ['n10', '{"v":10.0}'],
    ['n-big', '{"v":76561198000000001234}'],
    ['n-big2', '{"v":76561198000000001235}'],
    ['text10', '{"v":"10"}'],
    ['text', '{"v":"Castle Rock"}'],
    ['true', '{"v":true}'],
    ['null', '{"v":null}'],
    ['list', '{"v":[1,"Rock",null,76561198000000001234]}'],
    ['object', '{"v":{"v":9}}'],
    ['none', '{"w":9}'],
  ] as const;
  let ids: (query: Record<string, string>) => Promise<string[]>;
  before(async () => {
    ({ ids } = await makeGameWith(
      server,
      samples.map(([id, properties]) => ({ id, properties })),
    ));
  });

  const cases: [string, string[]][] = [
    ['"operator":"eq","value":10', ['n10']],
    ['"operator":"eq","value":"10"', ['text10']],
    ['"operator":"eq","value":76561198000000001234', ['n-big']],
    ['"operator":"eq","value":null', ['null']],
    ['"operator":"eq","value":true', ['true']],
    ['"operator":"ne","value":9', samples.map(([id]) => id).filter((id) => id !== 'n9')],
    ['"operator":"gt","value":9', ['n10', 'n-big', 'n-big2']],
    ['"operator":"gte","value":9', ['n9', 'n10', 'n-big', 'n-big2']],
    ['"operator":"gt","value":76561198000000001234', ['n-big2']],
    ['"operator":"lt","value":10', ['n9']],
    ['"operator":"lte","value":1e1', ['n9', 'n10']],
    ['"operator":"lt","value":"C"', ['text10']],
    ['"operator":"gte","value":"1"', ['text10', 'text']],
    ['"operator":"contains","value":"Rock"', ['text', 'list']],
    ['"operator":"contains","value":"rock"', []],
    ['"operator":"contains","value":1', ['list']],
    ['"operator":"contains","value":null', ['list']],
    ['"operator":"contains","value":76561198000000001234', ['list']],
    ['"operator":"contains","value":76561198000000001235', []],
    ['"operator":"exists"', samples.map(([id]) => id).filter((id) => id !== 'none')],
    ['"operator":"not_exists"', ['none']],
  ];
  for (const [filter, expected] of cases) {
    test(filter, async () => {
      const found = await ids({ filter: `[{"property":"v",${filter}}]` });
      assert.deepEqual(found.toSorted(), expected.toSorted());
    });
  }

  test('several filters must all hold', async () => {
    const filter = JSON.stringify([
      { property: 'v', operator: 'gte', value: 9 },
      { property: 'v', operator: 'lt', value: 10 },
      { property: 'w', operator: 'not_exists' },
    ]);
    assert.deepEqual(await ids({ filter }), ['n9']);
  });
});
