import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import type { TestAnswer } from '../../../test/test-request.ts';
import { makeStatStudio } from './test/stat-studio.ts';
import type { StatStudio } from './test/stat-studio.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const RICH = [{ stat: 'coins', operator: 'gte', value: 100 }];

async function expectOk(answer: Promise<TestAnswer>): Promise<TestAnswer['body']> {
  const { status, text, body } = await answer;
  assert.ok(status < 300, text);
  return body;
}

/** Reads the value of the parameter `shop` as the game does. */
async function shopOf(studio: StatStudio, player_id: string): Promise<unknown> {
  const path = `/v1/config?player_id=${player_id}`;
  const { body } = await server.request('GET', path, { key: studio.production_key });
  return body.config.shop;
}

const putRules = (studio: StatStudio, properties: object[]) =>
  studio.steer('PUT', '/config', {
    parameters: { shop: { value: 'small', rules: [{ properties, value: 'large' }] } },
  });

async function titlesOf(studio: StatStudio, player_id: string): Promise<string[]> {
  const path = `/v1/messages?player_id=${player_id}`;
  const { body } = await server.request('GET', path, { key: studio.production_key });
  return body.messages.map(({ title }: { title: string }) => title);
}

const VARIANTS = [
  { name: 'Control', weight: 1 },
  { name: 'Other', weight: 1, values: { shop: 'other' } },
];
const experiment = (properties: object[]) => ({
  name: 'Shop',
  share: 100,
  condition: { properties },
  variants: VARIANTS,
  metrics: [{ kind: 'retention', days: 1 }],
});

test('a rule of the config matches by a statistic as soon as it has moved', async () => {
  const studio = await makeStatStudio(server, { coins: 'sum' });
  await expectOk(
    putRules(studio, [...RICH, { stat: 'coins', operator: 'lt', value: 9_007_199_254_740_990 }]),
  );
  assert.equal(await shopOf(studio, 'p'), 'small');
  await studio.change('p', { coins: 99.5 });
  assert.equal(await shopOf(studio, 'p'), 'small');
  await studio.change('p', { coins: 0.5 });
  assert.equal(await shopOf(studio, 'p'), 'large');
  await studio.change('p', { coins: Number.MAX_SAFE_INTEGER - 100 });
  assert.equal(await shopOf(studio, 'p'), 'small');
  await expectOk(putRules(studio, [{ stat: 'coins', operator: 'not_exists' }]));
  assert.equal(await shopOf(studio, 'p'), 'small');
  assert.equal(await shopOf(studio, 'new'), 'large');
});

test('previews of rules and of a player, and the effects of a plan, judge by statistics', async () => {
  const studio = await makeStatStudio(server, { coins: 'sum', wins: 'sum' });
  for (const [player_id, coins] of Object.entries({ a: 50, b: 100, c: 150 })) {
    await studio.change(player_id, { coins, wins: 1 });
  }
  const rules = [{ properties: RICH, value: 'large' }];
  const body = { key: 'shop', rules, player_id: 'a' };
  const { by_rule, by_default, player } = await expectOk(
    studio.steer('POST', '/config/preview/rules', body),
  );
  assert.deepEqual([by_rule, by_default], [[2], 1]);
  assert.deepEqual(player.rules, [{ unmatched: 'properties', place: null }]);
  assert.deepEqual(player.stats, { coins: 50 });
  await expectOk(studio.steer('PUT', '/config', { parameters: { shop: { value: 'small' } } }));
  const parameters = { shop: { value: 'small', rules } };
  const definitions = [{ kind: 'remote_config', key: 'production', definition: { parameters } }];
  const plan = await expectOk(studio.steer('POST', '/definitions/plan', { definitions }));
  const [effect] = plan.effects;
  assert.deepEqual(effect.numbers, { changed: 2, players: 3 }, JSON.stringify(plan.effects));
  await expectOk(putRules(studio, RICH));
  const preview = await expectOk(studio.steer('POST', '/config/preview', { player_id: 'b' }));
  assert.deepEqual(preview.config, { shop: 'large' });
});

test('an experiment is for players by a statistic', async () => {
  const studio = await makeStatStudio(server, { coins: 'sum' });
  await expectOk(studio.steer('PUT', '/config', { parameters: { shop: { value: 'small' } } }));
  const { id } = await expectOk(studio.steer('POST', '/experiments', experiment(RICH)));
  await expectOk(studio.steer('POST', `/experiments/${id}/start`));
  const got = new Set<unknown>();
  for (let n = 0; n < 12; n++) {
    assert.equal(await shopOf(studio, `p${n}`), 'small');
    await studio.change(`p${n}`, { coins: 100 });
    got.add(await shopOf(studio, `p${n}`));
  }
  assert.deepEqual(got, new Set(['small', 'other']));
});

test('a message is for players by a statistic, at each request or as it was at the time of sending', async () => {
  const studio = await makeStatStudio(server, { coins: 'sum' });
  await studio.change('rich', { coins: 100 });
  await studio.change('poor', { coins: 1 });
  const send = (title: string, to: object) =>
    expectOk(studio.steer('POST', '/messages', { title, to: { type: 'segment', ...to } }));
  await send('judged', { properties: RICH });
  await send('frozen', { properties: RICH, joiners: 'excluded' });
  await studio.steer('PUT', '/saved-reports/segment/Rich', {
    query: `filter=${encodeURIComponent(JSON.stringify(RICH))}`,
  });
  await send('segment', { segment: 'Rich' });
  assert.deepEqual(await titlesOf(studio, 'rich'), ['segment', 'frozen', 'judged']);
  assert.deepEqual(await titlesOf(studio, 'poor'), []);
  await studio.change('poor', { coins: 99 });
  assert.deepEqual(await titlesOf(studio, 'poor'), ['segment', 'judged']);
  const to = { type: 'segment', properties: RICH };
  const preview = await expectOk(studio.steer('POST', '/messages/preview', { to }));
  assert.deepEqual(preview.players, { count: 2, of: 2 });
});

test('a condition with a number that no double holds is judged by all its digits', async () => {
  const studio = await makeStatStudio(server, { coins: 'latest' });
  const sent = 1_000_000_000_000_000.25;
  await studio.change('p', { coins: sent });
  const text = '1000000000000000.2500001';
  const body = (stat: string) =>
    `{"parameters":{"shop":{"value":1,"rules":[{"properties":[${stat}],"value":2}]}}}`;
  const put = async (operator: string) => {
    const stat = `{"stat":"coins","operator":"${operator}","value":${text}}`;
    const path = `/v1/games/${studio.game_id}/config`;
    await expectOk(server.request('PUT', path, { token: studio.token, body: body(stat) }));
    return shopOf(studio, 'p');
  };
  assert.equal(await put('lt'), 2);
  assert.equal(await put('eq'), 1);
  const path = `/v1/games/${studio.game_id}/messages/preview`;
  const to = `{"type":"segment","properties":[{"stat":"coins","operator":"lt","value":${text}}]}`;
  const preview = server.request('POST', path, { token: studio.token, body: `{"to":${to}}` });
  assert.equal((await expectOk(preview)).players.count, 1);
});

test('a condition on a statistic that the game lacks is refused by its place', async () => {
  const studio = await makeStatStudio(server, { coins: 'sum' });
  const lacked = [...RICH, { stat: 'gems', operator: 'exists' }];
  const parameters = { shop: { value: 1, rules: [{ properties: lacked, value: 2 }] } };
  const has = 'the game has no statistic "gems"';
  const place = 'parameters.shop.rules[0].properties[1].stat';
  const schedule = { name: 'Sale', starts_at: '2098-01-01T00:00:00Z', parameters };
  const message = (to: object) => ({ title: 'T', to: { type: 'segment', ...to } });
  const definitions = [{ kind: 'remote_config', key: 'production', definition: { parameters } }];
  const { plan } = await expectOk(studio.steer('POST', '/definitions/plan', { definitions }));
  for (const [method, path, body, error] of [
    ['PUT', '/config', { parameters }, `${place}: ${has}`],
    ['POST', '/config/schedules', schedule, `${place}: ${has}`],
    ['POST', '/experiments', experiment(lacked), `condition.properties[1].stat: ${has}`],
    ['POST', '/messages', message({ properties: lacked }), `to.properties[1].stat: ${has}`],
    [
      'POST',
      '/messages/preview',
      { to: { type: 'segment', properties: lacked } },
      `to.properties[1].stat: ${has}`,
    ],
    [
      'POST',
      '/definitions/apply',
      { definitions, plan },
      `remote_config "production": ${place}: ${has}`,
    ],
  ] as const) {
    const answer = await studio.steer(method, path, body);
    assert.deepEqual([answer.status, answer.body.error], [400, error], path);
  }
  for (const [condition, error] of [
    [{ stat: 'coins', operator: 'contains', value: 1 }, /properties\[0\]\.operator must be one of/],
    [{ stat: 'coins', operator: 'gt', value: '1' }, /properties\[0\]\.value must be a number/],
    [{ stat: 'coins', operator: 'gt' }, /properties\[0\]\.value is required/],
    [{ stat: 'coins', property: 'a', operator: 'exists' }, /properties\[0\]\.property is not/],
    [{ stat: '', operator: 'exists' }, /properties\[0\]\.stat must not be empty/],
    [1, /properties\[0\] must be/],
  ] as const) {
    const answer = await putRules(studio, [condition as object]);
    assert.equal(answer.status, 400, answer.text);
    assert.match(answer.body.error, error);
  }
});

test('a statistic is not deleted while a scheduled change would bring a rule about it back', async () => {
  const studio = await makeStatStudio(server, { coins: 'sum' });
  await expectOk(putRules(studio, RICH));
  const sale = {
    name: 'Sale',
    ends_at: '2098-01-01T00:00:00Z',
    parameters: { shop: { value: 'sale' } },
  };
  await expectOk(studio.steer('POST', '/config/schedules', sale));
  assert.equal(await shopOf(studio, 'p'), 'sale');
  const refused = await studio.steer('DELETE', '/stats/coins');
  assert.deepEqual(refused.body.used_by, ['the scheduled change "Sale"']);
});

test('neither a version of before nor files bring a statistic back that the game lacks', async () => {
  const studio = await makeStatStudio(server, { coins: 'sum' });
  await expectOk(putRules(studio, [{ stat: 'coins', operator: 'exists' }]));
  await expectOk(studio.steer('PUT', '/config', { parameters: { shop: { value: 'small' } } }));
  await expectOk(studio.steer('DELETE', '/stats/coins'));
  const rollback = await studio.steer('POST', '/config/versions/1/rollback', {});
  const lacks = 'the game has no statistic "coins"';
  assert.deepEqual(
    [rollback.status, rollback.body.error],
    [400, `parameters.shop.rules[0].properties[0].stat: ${lacks}`],
  );
  const { name, ...definition } = experiment(RICH);
  const definitions = [{ kind: 'experiment', key: `production/${name}`, definition }];
  const { plan } = await expectOk(studio.steer('POST', '/definitions/plan', { definitions }));
  const applied = await studio.steer('POST', '/definitions/apply', { definitions, plan });
  assert.equal(applied.status, 400, applied.text);
  assert.match(applied.body.error, /condition\.properties\[0\]\.stat: the game has no statistic/);
});

test('one plan makes a statistic and the rule about it, and another one takes both away', async () => {
  const studio = await makeStatStudio(server, { coins: 'sum' });
  const apply = async (body: object) => {
    const { plan } = await expectOk(studio.steer('POST', '/definitions/plan', body));
    return studio.steer('POST', '/definitions/apply', { ...body, plan });
  };
  const config = (rules: object[]) => ({
    kind: 'remote_config',
    key: 'production',
    definition: { parameters: { shop: { value: 'small', rules } } },
  });
  const stat = (key: string) => ({ kind: 'stat', key, definition: { name: key } });
  const ruled = config([
    { properties: [{ stat: 'gems', operator: 'not_exists' }], value: 'large' },
  ]);
  await expectOk(apply({ definitions: [ruled, stat('gems')] }));
  assert.equal(await shopOf(studio, 'p'), 'large');
  const refused = await apply({ definitions: [ruled, stat('coins')], prune: true });
  assert.equal(refused.status, 409, refused.text);
  assert.match(refused.body.error, /is used by the parameter "shop" in production/);
  await expectOk(apply({ definitions: [config([]), stat('coins')], prune: true }));
  assert.equal(await shopOf(studio, 'p'), 'small');
});

test('an experiment that has ended is described anew, though its statistic was deleted', async () => {
  const studio = await makeStatStudio(server, { coins: 'sum' });
  await expectOk(studio.steer('PUT', '/config', { parameters: { shop: { value: 'small' } } }));
  const { id } = await expectOk(studio.steer('POST', '/experiments', experiment(RICH)));
  await expectOk(studio.steer('POST', `/experiments/${id}/start`));
  await expectOk(studio.steer('POST', `/experiments/${id}/stop`));
  const { result } = await expectOk(studio.steer('DELETE', '/stats/coins'));
  assert.equal(result, 'deleted');
  const { name, ...definition } = { ...experiment(RICH), description: 'What we have learnt' };
  const definitions = [{ kind: 'experiment', key: `production/${name}`, definition }];
  const { plan } = await expectOk(studio.steer('POST', '/definitions/plan', { definitions }));
  await expectOk(studio.steer('POST', '/definitions/apply', { definitions, plan }));
  const { description } = await expectOk(studio.steer('GET', `/experiments/${id}`));
  assert.equal(description, definition.description);
});

test('a statistic is not deleted while something names it, and the refusal says what', async () => {
  const studio = await makeStatStudio(server, { coins: 'sum', free: 'sum' });
  const remove = () => studio.steer('DELETE', '/stats/coins');
  const names = (word: string) => [{ stat: word, operator: 'exists' }];
  const { token } = await server.makeAccount({ game_id: studio.game_id, role: 'admin' });
  const steer: StatStudio['steer'] = (method, path, body) =>
    server.request(method, `/v1/games/${studio.game_id}${path}`, { token, body });
  await expectOk(
    steer('POST', '/achievements', {
      key: 'rich',
      name: 'Rich',
      unlock_when: [{ stat: 'coins', at_least: 5 }],
    }),
  );
  await expectOk(putRules(studio, names('coins')));
  await expectOk(
    steer('POST', '/config/schedules', {
      name: 'Sale',
      starts_at: '2098-01-01T00:00:00Z',
      parameters: { shop: { value: 1, rules: [{ properties: names('coins'), value: 2 }] } },
    }),
  );
  const { id } = await expectOk(steer('POST', '/experiments', experiment(names('coins'))));
  await expectOk(
    steer('PUT', '/saved-reports/segment/Rich', {
      query: `filter=${encodeURIComponent(JSON.stringify(RICH))}`,
    }),
  );
  const to = { type: 'segment', properties: names('coins') };
  const messages = [
    { title: 'To the rich', to },
    {
      title: 'A gift',
      to: { type: 'everyone' },
      rewards: [{ type: 'stat', key: 'coins', value: 5 }],
    },
    { title: 'Sent long ago', to: { ...to, joiners: 'excluded' } },
  ];
  const sent = [];
  for (const message of messages) sent.push(await expectOk(steer('POST', '/messages', message)));
  const refused = await remove();
  assert.equal(refused.status, 409, refused.text);
  assert.deepEqual(refused.body.used_by.toSorted(), [
    'the achievement "Rich"',
    'the experiment "Shop"',
    'the message "A gift"',
    'the message "To the rich"',
    'the parameter "shop" in production',
    'the saved segment "Rich"',
    'the scheduled change "Sale"',
  ]);
  assert.match(
    refused.body.error,
    /^The statistic "coins" is used by .+ and 4 others: take it out/,
  );

  const definitions = [
    { kind: 'stat', key: 'coins', definition: { name: 'Coins', description: 'Other' } },
  ];
  const planned = await expectOk(steer('POST', '/definitions/plan', { definitions }));
  const uses = planned.effects.find(({ about }: { about: string }) => about === 'uses');
  assert.match(uses.words, /1 parameter, .*use it: /);

  await expectOk(steer('PATCH', '/achievements/rich', { unlock_when: [] }));
  await expectOk(putRules(studio, names('free')));
  const { open } = await expectOk(steer('GET', '/config/schedules'));
  await expectOk(steer('POST', `/config/schedules/${open[0].id}/cancel`));
  await expectOk(steer('DELETE', `/experiments/${id}`));
  await expectOk(steer('DELETE', '/saved-reports/segment/Rich'));
  await expectOk(steer('POST', `/messages/${sent[0].id}/recall`));
  const last = await remove();
  assert.deepEqual(last.body.used_by, ['the message "A gift"']);
  await expectOk(steer('POST', `/messages/${sent[1].id}/recall`));
  assert.deepEqual((await remove()).body, { key: 'coins', result: 'deleted' });
  assert.equal((await steer('DELETE', '/stats/free')).status, 409);
});
