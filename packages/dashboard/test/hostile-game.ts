import assert from 'node:assert/strict';
import type { TestAnswer } from '../../server/test/test-request.ts';
import { openGameStage } from './game-stage.ts';
import type { GameStage } from './game-stage.ts';
import { HOSTILE_NAMES } from './hostile-names.ts';
import { BREAKDOWN, choiceOf, FUNNEL, HTML, LONG, MIRRORED, WIDE } from './hostile-pages.ts';

/** A stage with a game in which every name, value and property is made to break careless pages. */
export interface HostileStage extends GameStage {
  /** The path of the game's dashboard, below the path of the game. */
  dashboard: string;
  /** The path at which readers of the dashboard's public link see it. */
  shared: string;
  /** The path of the game's experiment, below the path of the game. */
  experiment: string;
}

type Manage = (method: string, path: string, body?: unknown) => Promise<TestAnswer['body']>;

export async function openHostileStage(): Promise<HostileStage> {
  const opened = await openGameStage();
  const manage: Manage = async (method, path, body) => {
    const { status, text, body: answered } = await opened.ask(method, path, body);
    assert.ok(status < 300, `${path}: ${text}`);
    return answered;
  };
  const { dashboard, shared } = await makeDashboard(manage);
  await play(opened, manage);
  await sell(opened);
  await watch(opened, manage);
  return { ...opened, dashboard, shared, experiment: await startExperiment(manage) };
}

async function makeDashboard(manage: Manage) {
  const cards = [
    { title: WIDE, report: 'active-players', chart: 'daily' },
    { title: LONG, report: 'retention', chart: 'cohorts', width: 'full' },
    { title: 'Curve', report: 'retention', chart: 'curve' },
    { title: 'Lengths', report: 'sessions', chart: 'lengths' },
    { title: MIRRORED, report: 'events', chart: 'counts', query: `event_name=${LONG}` },
    { title: 'Late', report: 'data-quality', chart: 'late' },
    { title: 'Funnel', report: 'funnel', chart: 'steps', query: FUNNEL.split('?')[1] },
    { title: 'Breakdown', report: 'breakdown', chart: 'events', query: BREAKDOWN.split('?')[1] },
    { title: 'Metric', report: 'metric', chart: 'days', query: 'metric_key=m0' },
  ];
  const { id } = await manage('POST', 'dashboards', { name: HTML, cards });
  const access = { environment: 'production', note: HTML };
  const { link } = await manage('POST', `dashboards/${id}/links`, access);
  return { dashboard: `dashboards/${id}`, shared: link.slice(link.indexOf('/shared')) as string };
}

/** Makes players with events, achievements and scores. Some of the scores wait for a decision. */
async function play({ send, ask }: GameStage, manage: Manage) {
  const rules = { max_gain: 10, on_violation: 'quarantine', keeps_ledger: true };
  await manage('PUT', 'leaderboards/race', rules);
  for (const name of ['p1', ...HOSTILE_NAMES]) {
    const properties = { level: 7, [name]: name };
    await send('POST', '/v1/identify', { player_id: name, properties });
    for (const score of [7, 9_000]) {
      await send('POST', '/v1/leaderboards', {
        board_name: 'race',
        player_id: name,
        player_name: name,
        score,
        metadata: { [name]: name },
      });
    }
    await send('POST', '/v1/track', {
      event_name: name,
      session_id: name,
      player_id: name,
      properties: { [name]: [name] },
    });
    // Some of the names are not valid keys, so these answers are not checked.
    const rewards = [{ type: 'item', key: name, quantity: 1 }];
    const texts = { title: name, text: name, reason: name };
    const to = { type: 'player', player_id: name };
    await ask('POST', 'messages', { to, ...texts, rewards });
    await ask('POST', 'messages', { to: { type: 'segment', has_tags: [name] }, ...texts, rewards });
    await ask('POST', 'achievements', { key: name, name, description: name, icon_url: '' });
  }
  for (const [place, name] of HOSTILE_NAMES.entries()) {
    // Some of the names are too long for a statistic, so these answers are not checked.
    await ask('POST', 'stats', { key: `s${place}`, name, description: name });
    const metric = { name, description: name, kind: 'players', event_name: name };
    await ask('PUT', `metrics/m${place}`, metric);
  }
  await send('POST', '/v1/stats', { player_id: 'p1', changes: [{ key: 's0', value: -1.5 }] });
  const player_ids = HOSTILE_NAMES.slice(0, 3);
  const accepted = { decision: 'accept', player_ids };
  await manage('POST', 'leaderboards/race/quarantine/decisions', accepted);
  // The retention report needs players who returned on days that are over.
  for (const days_ago of [2, 3, 4]) {
    const client_timestamp = new Date(Date.now() - days_ago * 86_400_000).toISOString();
    const event = { event_name: 'back', player_id: 'p1', session_id: client_timestamp };
    await send('POST', '/v1/track', { ...event, client_timestamp });
  }
  await send('POST', '/v1/players/login', {
    provider: 'device',
    device_id: 'x'.repeat(255),
    secret: 'x'.repeat(43),
    player_id: 'p1',
  });
  await send('POST', '/v1/players/p1/tags', { tag: '<b>vip</b>' });
  for (const gold of [1, 2]) await send('PUT', '/v1/saves', { player_id: 'p1', data: { gold } });
}

/** Sends purchases in two currencies. */
async function sell({ send, ask }: GameStage) {
  await ask('PUT', 'revenue-settings', {
    event_name: LONG,
    amount_property: HTML,
    currency_property: WIDE,
  });
  const event = { event_name: LONG, session_id: 's', player_id: 'p1' };
  for (const [amount, currency] of [
    [4.99, 'EUR'],
    [499, 'JPY'],
  ]) {
    await send('POST', '/v1/track', { ...event, properties: { [HTML]: amount, [WIDE]: currency } });
  }
}

/** Makes a webhook, alerts that call the webhook, and a login provider. */
async function watch({ ask, owner }: GameStage, manage: Manage) {
  const long_url = `https://a.example/${'x'.repeat(400)}`;
  const events = ['player.erased'];
  const { id } = await manage('POST', 'webhooks', { url: long_url, description: WIDE, events });
  const recipients = { account_ids: [owner.account_id], webhook_ids: [id] };
  for (const name of HOSTILE_NAMES) {
    const rule = { metric: 'events', event_name: name, comparison: 'above', threshold: 1e15 };
    // Some of the names are too long for an alert.
    await ask('POST', 'alerts', { name, environment: 'production', ...rule, ...recipients });
  }
  const audiences = HOSTILE_NAMES.slice(0, 5);
  await ask('PUT', 'login-providers/google', { issuer: long_url, audiences });
}

async function startExperiment(manage: Manage) {
  await manage('PUT', 'config', { parameters: { [LONG]: { value: 1 }, [WIDE]: { value: 1 } } });
  const { id } = await manage('POST', 'experiments', {
    name: LONG,
    share: 50,
    condition: { has_tags: [LONG.slice(0, 60)], properties: choiceOf(WIDE).filter },
    variants: [
      { name: WIDE, weight: 1 },
      { name: LONG, weight: 1, values: { [LONG]: LONG, [WIDE]: { [MIRRORED]: HTML } } },
    ],
    metrics: [{ kind: 'event_sum', event_name: LONG, property: HTML, days: 7 }],
  });
  await manage('POST', `experiments/${id}/start`);
  return `experiments/${id}`;
}
