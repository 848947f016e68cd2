import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFINITION_KINDS } from '@overworld/contract/definitions/kinds';
import { startTestServer } from '../../../../test/harness.ts';
import { startVictim } from '../../../../test/run-cli.ts';
import { readGameRows } from '../../../../test/whole-database.ts';
import { lockGame } from '../../../platform/game-lock.ts';
import type { TestDocument } from './studio.ts';

const WEBHOOKS = ['5f2c1d3e-8a4b-4c6d-9e7f-0a1b2c3d4e5f', '6a3d2e4f-9b5c-4d7e-8f80-1b2c3d4e5f60'];

/** Makes documents of all kinds. The two variants differ in each of them, and in which things there are. */
function makeDocuments(variant: 0 | 1): TestDocument[] {
  const numbers = Array.from({ length: 60 }, (_, number) => number);
  const amount = variant + 1;
  const per_environment = ['development', 'production'].flatMap((environment): TestDocument[] => [
    {
      kind: 'remote_config',
      key: environment,
      definition: { parameters: { reward: { value: amount }, [`of_${variant}`]: { value: true } } },
    },
    {
      kind: 'player_verification',
      key: environment,
      definition: { allows_claims: variant === 0 },
    },
    {
      kind: 'shares',
      key: environment,
      definition: { player_requests_per_minute: 60 + variant },
    },
    {
      kind: 'login_provider',
      key: `${environment}/steam`,
      definition: { app_id: `48${variant}` },
    },
  ]);
  return [
    ...per_environment,
    ...numbers.flatMap((number): TestDocument[] => [
      {
        kind: 'achievement',
        key: `kept_${number}`,
        definition: { name: 'One', points: amount, position: number + 1 },
      },
      {
        kind: 'achievement',
        key: `${variant}_${number}`,
        definition: { name: 'One', position: number + 61 },
      },
      {
        kind: 'event_schema',
        key: `${variant}_${number}`,
        definition: { schema: { type: 'object', properties: { item: { type: 'string' } } } },
      },
      {
        kind: 'alert',
        key: `production/${variant} ${number}`,
        definition: { metric: 'events', comparison: 'above', threshold: number },
      },
    ]),
    { kind: 'stat', key: 'kept', definition: { name: `Wins ${variant}` } },
    { kind: 'stat', key: `of_${variant}`, definition: { name: 'Of one variant' } },
    { kind: 'metric', key: 'kept', definition: { name: `Hits ${variant}`, kind: 'count' } },
    { kind: 'metric', key: `of_${variant}`, definition: { name: 'Players', kind: 'players' } },
    { kind: 'leaderboard', key: 'kept', definition: { max_gain: amount } },
    { kind: 'leaderboard', key: `of ${variant}`, definition: { reset_schedule: 'weekly' } },
    {
      kind: 'experiment',
      key: 'production/Reward',
      definition: {
        share: 50 + variant,
        variants: [
          { name: 'Control', weight: 1 },
          { name: 'Generous', weight: 1, values: { reward: 200 } },
        ],
        metrics: [{ kind: 'retention', days: 1 }],
      },
    },
    { kind: 'segment', key: 'Whales', definition: { query: `has_tags=whale_${variant}` } },
    { kind: 'saved_report', key: `funnel/${variant}`, definition: { query: 'steps=%5B%5D' } },
    {
      kind: 'dashboard',
      key: `Main ${variant}`,
      definition: { cards: [{ title: 'Back', report: 'retention', chart: 'curve' }] },
    },
    {
      kind: 'webhook',
      key: WEBHOOKS[variant]!,
      definition: { url: 'https://hooks.example.com/game', events: ['leaderboard.season_ended'] },
    },
    {
      kind: 'revenue_settings',
      key: 'game',
      definition: { event_name: 'purchase', amount_property: `price_${variant}`, currency: 'EUR' },
    },
    {
      kind: 'game_settings',
      key: 'game',
      definition: {
        time_zone: 'UTC',
        development_event_validation: variant === 0 ? 'warn' : 'reject',
      },
    },
  ];
}

/**
 * Kills servers at any moment of an apply that changes definitions of all kinds. After each kill the game is as it
 * was before, row by row, or as the plan says.
 * @returns how many kills came before the answer, and how many plans were applied.
 */
export async function killApplies(kills: number): Promise<{ unanswered: number; applied: number }> {
  await using server = await startTestServer();
  const { game_id } = await server.makeGame({ tier: 'studio' });
  const { token } = await server.makeAccount({ game_id, role: 'admin' });
  const path = `/v1/games/${game_id}`;
  const variants = [makeDocuments(0), makeDocuments(1)];
  const plan = async (variant: number) => {
    const body = { definitions: variants[variant], prune: true };
    const answer = await server.request('POST', `${path}/definitions/plan?effects=none`, {
      token,
      body,
    });
    assert.equal(answer.status, 200, answer.text);
    const changes = answer.body.changes as { kind: string }[];
    return { body: { ...body, replace_used: true, plan: answer.body.plan as string }, changes };
  };
  const apply = async (url: string, body: object): Promise<boolean> => {
    const answer = await fetch(`${url}${path}/definitions/apply`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    // A busy machine may refuse it; whether it was stored is then unknown, as without an answer.
    assert.ok(answer.status === 200 || answer.status === 503, text);
    return answer.status === 200;
  };
  const readDigest = async () =>
    (await server.request('GET', `${path}/definitions`, { token })).body.digest as string;
  const readRows = () => readGameRows(server.database, game_id);

  const start = async () => {
    const { victim, url } = await startVictim({
      DATABASE_URL: server.database_url,
      PORT: '0',
      LOG_REQUESTS: 'none',
    });
    const kill = async () => {
      victim.child.kill('SIGKILL');
      await victim.done;
    };
    return { url, kill, [Symbol.asyncDispose]: kill };
  };

  const digests: string[] = [];
  let usual_ms = 0;
  for (const variant of [0, 1, 0]) {
    const { body } = await plan(variant);
    // The first apply of a process takes several times as long as a later one.
    await using other = await start();
    const began = performance.now();
    assert.ok(await apply(other.url, body));
    usual_ms = performance.now() - began;
    digests[variant] ??= await readDigest();
    assert.equal(await readDigest(), digests[variant]);
  }
  let present = 0;
  let unanswered = 0;
  let applied = 0;
  for (let kill = 0; kill < kills; kill++) {
    await using victim = await start();
    const wanted = 1 - present;
    const { body, changes } = await plan(wanted);
    const kinds = new Set(changes.map(({ kind }) => kind));
    assert.deepEqual([...kinds].toSorted(), DEFINITION_KINDS.toSorted());
    const rows = await readRows();
    const began = performance.now();
    const applying = apply(victim.url, body).then(
      (is_stored) => {
        // The machine may have been busier before.
        usual_ms = performance.now() - began;
        return is_stored;
      },
      (error: Error) => (error instanceof assert.AssertionError ? error : false),
    );
    await sleep(usual_ms * (0.2 + 0.9 * Math.random()));
    await victim.kill();
    const is_answered = await applying;
    if (is_answered instanceof Error) throw is_answered;
    if (!is_answered) unanswered++;
    // PostgreSQL may still be at the last statement of the killed server.
    await server.database.ofGame(game_id).transaction((tx) => lockGame(tx, game_id));
    const digest = await readDigest();
    if (digest === digests[present]) {
      assert.ok(!is_answered, 'what was answered is stored');
      assert.deepEqual(await readRows(), rows);
      continue;
    }
    assert.equal(digest, digests[wanted], `neither before nor after, at kill ${kill}`);
    const { audit_log } = (await server.request('GET', `${path}/audit-log`, { token })).body;
    assert.equal(audit_log[0].target, body.plan);
    present = wanted;
    applied++;
  }
  assert.ok(
    unanswered >= Math.floor(kills / 5),
    `only ${unanswered} of ${kills} were killed before the answer`,
  );
  return { unanswered, applied };
}
