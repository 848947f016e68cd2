import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { AxeResults } from 'axe-core';
import { sql } from '../../server/src/platform/database/sql.ts';
import type { TestAccount, TestGame } from '../../server/test/harness.ts';
import { findViolations, loadAxe, setTheme } from './axe.ts';
import type { Theme } from './axe.ts';
import { gamePath, go, openStage, withoutBrowser } from './browser.ts';
import type { Stage } from './browser.ts';
import { HOSTILE_NAMES } from './hostile-names.ts';

/** Questions in which every name, value and property is one that breaks careless pages. */
const ask = (page: string, question: Record<string, string>) =>
  `${page}?${new URLSearchParams(question)}`;
const choiceOf = (name: string) => ({
  event_name: name,
  filter: [{ property: name, operator: 'exists' }],
});
const [HTML, , WIDE, LONG, MIRRORED] = HOSTILE_NAMES as [string, string, string, string, string];
const FUNNEL = ask('funnels', {
  steps: JSON.stringify(HOSTILE_NAMES.slice(0, 8).map(choiceOf)),
  breakdown: HTML,
});
const PATHS = ask('paths', { event_name: LONG, hide: WIDE, steps: '5' });
const BREAKDOWN = ask('breakdown', { event_name: LONG, group_by: LONG, property: WIDE });
const SEGMENT = ask('segments', {
  tag: '<b>vip</b>',
  filter: JSON.stringify(choiceOf(WIDE).filter),
  events: JSON.stringify([choiceOf(LONG), { event_name: MIRRORED, did: false }]),
});
const REPORTS_OF_NAMES = [PATHS, 'revenue', FUNNEL, `${FUNNEL}&table=steps`, BREAKDOWN, SEGMENT];

const DASHBOARD_ID = '0d3a7c0e-6f0f-4c55-8f4e-8a0c2a1d9b42';

const GAME_PAGES = [
  ['overview', 'Test game'],
  ['start', 'Connect Test game'],
  ['dashboards', 'Dashboards'],
  [`dashboards/${DASHBOARD_ID}`, HTML],
  ['players', 'Players'],
  ['players/p1', 'p1'],
  ['players/p1?tab=timeline', 'p1'],
  ['players/p1?tab=save', 'p1'],
  ['players/p1?tab=achievements', 'p1'],
  ['players/p1?tab=scores', 'p1'],
  ['players/p1?tab=logins', 'p1'],
  ['events', 'Events'],
  ['events?tab=counts', 'Events'],
  ['events?tab=quality', 'Events'],
  ['active-players', 'Active players'],
  ['active-players?range=7&table=players', 'Active players'],
  ['retention', 'Retention'],
  [FUNNEL, 'Funnels'],
  [`${FUNNEL}&table=steps`, 'Funnels'],
  [PATHS, 'Paths'],
  [`${PATHS}&table=paths`, 'Paths'],
  [BREAKDOWN, 'Breakdown'],
  [`${BREAKDOWN}&table=groups`, 'Breakdown'],
  ['sessions', 'Sessions'],
  ['revenue', 'Revenue'],
  ['revenue?table=revenue&table=conversion', 'Revenue'],
  [SEGMENT, 'Segments'],
  ['achievements', 'Achievements'],
  ['leaderboards', 'Leaderboards'],
  ['leaderboards/race', 'race'],
  ['leaderboards/race?tab=waiting', 'race'],
  ['leaderboards/race?tab=decisions', 'race'],
  ['leaderboards/race/players/p1', 'p1'],
  ['event-schemas', 'Event schemas'],
  ['config', 'Remote config'],
  ['config?tab=history', 'Remote config'],
  ['config?tab=scheduled', 'Remote config'],
  ['experiments', 'Experiments'],
  ['experiments/new', 'New experiment'],
  ['api-keys', 'API Keys'],
  ['shares', 'Shares'],
  ['player-login', 'Player login'],
  ['player-verification', 'Player verification'],
  ['alerts', 'Alerts'],
  ['webhooks', 'Webhooks'],
  ['members', 'Members'],
  ['usage', 'Usage'],
  ['audit-log', 'Audit log'],
  ['settings', 'Settings'],
] as const;

describe('every page', { skip: withoutBrowser }, () => {
  let stage: Stage;
  let game: TestGame;
  let owner: TestAccount;
  let experiment: string;
  /** A dashboard as readers of its link see it. */
  let shared: string;

  before(async () => {
    stage = await openStage();
    const { server } = stage;
    game = await server.makeGame();
    owner = await server.makeAccount({ game_id: game.game_id, is_administrator: true });
    const key = game.production_key;
    const send = async (method: string, path: string, body: unknown) => {
      const { status, text } = await server.request(method, path, { key, body });
      assert.ok(status < 300, `${path}: ${text}`);
    };
    const manage = async (method: string, path: string, body: unknown) => {
      const url = `/v1/games/${game.game_id}/leaderboards/race${path}`;
      const { status, text } = await server.request(method, url, { token: owner.token, body });
      assert.ok(status < 300, `${path}: ${text}`);
    };
    const cards = [
      { title: WIDE, report: 'active-players', chart: 'daily' },
      { title: LONG, report: 'retention', chart: 'cohorts', width: 'full' },
      { title: 'Curve', report: 'retention', chart: 'curve' },
      { title: 'Lengths', report: 'sessions', chart: 'lengths' },
      { title: MIRRORED, report: 'events', chart: 'counts', query: `event_name=${LONG}` },
      { title: 'Late', report: 'data-quality', chart: 'late' },
      { title: 'Funnel', report: 'funnel', chart: 'steps', query: FUNNEL.split('?')[1] },
      { title: 'Breakdown', report: 'breakdown', chart: 'events', query: BREAKDOWN.split('?')[1] },
    ];
    const made = await server.request('POST', `/v1/games/${game.game_id}/dashboards`, {
      token: owner.token,
      body: { name: HTML, cards },
    });
    assert.equal(made.status, 201, made.text);
    await server.database.execute(
      sql`UPDATE dashboards SET id = ${DASHBOARD_ID} WHERE id = ${made.body.id}`,
    );
    const shown = await server.request(
      'POST',
      `/v1/games/${game.game_id}/dashboards/${DASHBOARD_ID}/links`,
      { token: owner.token, body: { environment: 'production', note: HTML } },
    );
    shared = shown.body.link.slice(shown.body.link.indexOf('/shared'));
    const rules = { max_gain: 10, on_violation: 'quarantine', keeps_ledger: true };
    await manage('PUT', '', rules);
    for (const name of ['p1', ...HOSTILE_NAMES]) {
      const event = { event_name: name, session_id: name, player_id: name };
      await send('POST', '/v1/identify', {
        player_id: name,
        properties: { level: 7, [name]: name },
      });
      for (const score of [7, 9_000]) {
        await send('POST', '/v1/leaderboards', {
          board_name: 'race',
          player_id: name,
          player_name: name,
          score,
          metadata: { [name]: name },
        });
      }
      await send('POST', '/v1/track', { ...event, properties: { [name]: [name] } });
      const achievement = { key: name, name, description: name, icon_url: '' };
      await server.request('POST', `/v1/games/${game.game_id}/achievements`, {
        token: owner.token,
        body: achievement,
      });
    }
    const player_ids = HOSTILE_NAMES.slice(0, 3);
    await manage('POST', '/quarantine/decisions', { decision: 'accept', player_ids });
    // Retention needs players who came back, on days that are over.
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
    await server.request('PUT', `/v1/games/${game.game_id}/revenue-settings`, {
      token: owner.token,
      body: { event_name: LONG, amount_property: HTML, currency_property: WIDE },
    });
    for (const properties of [
      { [HTML]: 4.99, [WIDE]: 'EUR' },
      { [HTML]: 499, [WIDE]: 'JPY' },
    ]) {
      await send('POST', '/v1/track', {
        event_name: LONG,
        session_id: 's',
        player_id: 'p1',
        properties,
      });
    }
    const make = (path: string, body: unknown) =>
      server.request('POST', `/v1/games/${game.game_id}${path}`, { token: owner.token, body });
    const long_url = `https://a.example/${'x'.repeat(400)}`;
    const webhook = await make('/webhooks', {
      url: long_url,
      description: WIDE,
      events: ['player.erased'],
    });
    const recipients = { account_ids: [owner.account_id], webhook_ids: [webhook.body.id] };
    for (const name of HOSTILE_NAMES) {
      const rule = { metric: 'events', event_name: name, comparison: 'above', threshold: 1e15 };
      await make('/alerts', { name, environment: 'production', ...rule, ...recipients });
    }
    await server.request('PUT', `/v1/games/${game.game_id}/login-providers/google`, {
      token: owner.token,
      body: {
        issuer: long_url,
        audiences: HOSTILE_NAMES.slice(0, 5),
      },
    });
    await send('POST', '/v1/players/p1/tags', { tag: '<b>vip</b>' });
    const steer = async (method: string, path: string, body?: unknown) => {
      const url = `/v1/games/${game.game_id}/${path}`;
      const answer = await server.request(method, url, { token: owner.token, body });
      assert.ok(answer.status < 300, `${path}: ${answer.text}`);
      return answer.body as { id: string };
    };
    await steer('PUT', 'config', { parameters: { [LONG]: { value: 1 }, [WIDE]: { value: 1 } } });
    const { id } = await steer('POST', 'experiments', {
      name: LONG,
      share: 50,
      condition: { has_tags: [LONG.slice(0, 60)], properties: choiceOf(WIDE).filter },
      variants: [
        { name: WIDE, weight: 1 },
        { name: LONG, weight: 1, values: { [LONG]: LONG, [WIDE]: { [MIRRORED]: HTML } } },
      ],
      metrics: [{ kind: 'event_sum', event_name: LONG, property: HTML, days: 7 }],
    });
    await steer('POST', `experiments/${id}/start`);
    experiment = `experiments/${id}`;
    for (const gold of [1, 2]) await send('PUT', '/v1/saves', { player_id: 'p1', data: { gold } });
  });
  after(() => stage.close());

  test('has no serious accessibility violation in either theme', async () => {
    const { page, close } = await stage.visit('/login', { expected: /404/ });
    await loadAxe(page);
    const problems: string[] = [];
    let theme: Theme = 'light';
    // The frame is the same around all pages of a game. Each page is checked first in the theme that
    // the page before it ended with, because a change of theme takes longer than a check.
    const look = async (path: string, heading: string, part = 'main') => {
      await go(page, path, heading);
      note(`${path} ${theme}`, await findViolations(page, part));
      theme = theme === 'light' ? 'dark' : 'light';
      await setTheme(page, theme);
      // The theme changes only colours.
      const rules = ['color-contrast', 'link-in-text-block'];
      note(`${path} ${theme}`, await findViolations(page, part, rules));
    };
    const note = (where: string, violations: AxeResults['violations']) => {
      for (const { id, impact, nodes } of violations) {
        if (impact !== 'serious' && impact !== 'critical') continue;
        const [node] = nodes;
        problems.push(`${where} ${id}: ${node?.html} ${node?.failureSummary}`.slice(0, 600));
      }
    };
    await look('/login', 'Log in');
    await look('/register', 'Create an account');
    await look('/forgot-password', 'Reset your password');
    await look(shared, HTML, 'body');
    await page.evaluate(`localStorage.setItem('overworld.token', ${JSON.stringify(owner.token)})`);
    await look(gamePath(game, 'overview', 'development'), 'Test game', 'body');
    for (const [path, heading] of GAME_PAGES) await look(gamePath(game, path), heading);
    await look(gamePath(game, experiment), LONG);
    await look('/games/new', 'New game');
    await look('/account', 'Your account');
    await look('/admin', 'Administration');
    await look('/admin?tab=settings', 'Administration');
    assert.deepEqual(problems, []);
    await close();
  });

  for (const width of [1440, 390]) {
    test(`shows hostile names as text and keeps its layout, ${width} pixels wide`, async () => {
      const start = gamePath(game, 'overview');
      const { page, close } = await stage.visit(start, { token: owner.token, width });
      await page.getByRole('heading', { level: 1 }).waitFor();
      const check = async (path: string, heading: string) => {
        await go(page, gamePath(game, path), heading);
        const overflow = await page.evaluate(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        );
        assert.equal(overflow, 0, `${path} is ${String(overflow)} pixels too wide`);
        assert.match(await page.title(), / · Overworld$/);
      };
      const lists = ['players', 'events', 'achievements', 'leaderboards', 'leaderboards/race'];
      lists.push('leaderboards/race?tab=waiting', 'leaderboards/race?tab=decisions');
      lists.push(...REPORTS_OF_NAMES);
      for (const [path, heading] of GAME_PAGES) {
        const isOfDashboards = path.startsWith('dashboards');
        if (path === 'overview' || isOfDashboards || lists.includes(path)) {
          await check(path, heading);
        }
      }
      await check('experiments', 'Experiments');
      await check(experiment, LONG);
      for (const name of HOSTILE_NAMES) {
        await check(`players/${encodeURIComponent(name)}`, name);
        await page.getByRole('region', { name: 'Properties' }).getByText('level').waitFor();
      }
      await close();
    });
  }
});
