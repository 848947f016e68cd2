import { generateKeyPairSync } from 'node:crypto';
import { ENVIRONMENTS } from '@overworld/contract/common';
import { REPORTS, SAVED_REPORT_KINDS } from '@overworld/contract/analytics/reports';
import type { DefinitionKindName } from '@overworld/contract/definitions/kinds';
import { SERVICE_EVENT_TYPES } from '@overworld/contract/webhooks/service-events';
import { writeObject } from './draw.ts';
import type { Draw } from './draw.ts';
import { drawSchema } from './draw-schema.ts';

/** The game in which things are made, by the calls that the dashboard sends. */
export interface Clicks {
  /**
   * Sends a request below the path of the game. A conflict, such as a name that is taken, is no mistake.
   * @returns the body of the answer.
   */
  send: (
    method: string,
    path: string,
    body?: object | string,
  ) => // oxlint-disable-next-line no-explicit-any
  Promise<any>;
}

/** Makes some things of a kind, and changes some of those that the game has. */
type Generate = (clicks: Clicks, draw: Draw) => Promise<void>;

const at = encodeURIComponent;

const PUBLIC_KEY = generateKeyPairSync('ed25519')
  .publicKey.export({ type: 'spki', format: 'pem' })
  .toString();

/** How each kind of definition comes to be in the dashboard. A kind without an entry does not compile. */
export const GENERATORS: Record<DefinitionKindName, Generate> = {
  async stat({ send }, draw) {
    const drawFields = (aggregation: string) =>
      draw.partOf({
        description: draw.text(),
        minimum: draw.oneOf(null, draw.integer(-9, 0)),
        maximum: draw.oneOf(null, draw.integer(1, 9), 0.000_001),
        max_change: aggregation === 'sum' ? draw.oneOf(null, draw.integer(1, 9), 0.1) : null,
        writes_from: draw.oneOf('anyone', 'verified', 'server'),
      });
    for (const key of draw.list(3, draw.name)) {
      const aggregation = draw.oneOf('sum', 'max', 'min', 'latest');
      const fields = { aggregation, ...drawFields(aggregation) };
      await send('POST', '/stats', { key, name: draw.name(), ...fields });
      if (!draw.isChosen()) continue;
      await send('PATCH', `/stats/${at(key)}`, { archived: draw.isChosen(), ...drawFields('max') });
    }
  },

  async achievement({ send }, draw) {
    const { stats } = await send('GET', '/stats');
    const growing = (stats as { key: string; aggregation: string; archived: boolean }[]).filter(
      ({ aggregation, archived }) => aggregation !== 'min' && !archived,
    );
    const drawFields = () =>
      draw.partOf({
        description: draw.text(),
        translations: draw.partOf({
          de: draw.partOf({ name: draw.name(), description: draw.text() }),
          'pt-BR': draw.partOf({ name: draw.name() }),
        }),
        icon_url: draw.oneOf('', 'https://studio.example/a.png'),
        points: draw.integer(0, 1_000),
        unlock_when: growing.slice(0, draw.integer(0, 2)).map(({ key }) => ({
          stat: key,
          at_least: draw.integer(1, 9),
        })),
        hidden: draw.isChosen(),
        writes_from: draw.oneOf('anyone', 'verified', 'server'),
        position: draw.integer(1, 5),
      });
    for (const key of draw.list(3, draw.name)) {
      await send('POST', '/achievements', { key, name: draw.name(), ...drawFields() });
      if (!draw.isChosen()) continue;
      const archived = draw.isChosen();
      await send('PATCH', `/achievements/${at(key)}`, { archived, ...drawFields() });
    }
  },

  async leaderboard({ send }, draw) {
    const { stats } = await send('GET', '/stats');
    const gifts = (stats as { key: string; archived: boolean }[])
      .filter(({ archived }) => !archived)
      .map(({ key }) => ({ type: 'stat', key, value: draw.oneOf(-1, 0.000_001, 50) }));
    for (const name of draw.list(3, draw.name)) {
      const [min_score, max_score] = [draw.number(), draw.number()].toSorted((a, b) => a - b);
      const keeps_ledger = draw.isChosen();
      const keeps = draw.oneOf('best', 'best', 'latest', 'sum');
      const settings = draw.partOf({
        order: draw.oneOf('ascending', 'descending'),
        tie_break: draw.oneOf('none', 'lower', 'higher'),
        reset_schedule: draw.oneOf('none', 'daily', 'weekly', 'monthly'),
        min_score: draw.oneOf(null, min_score),
        max_score,
        season_rewards: Array.from({ length: draw.integer(0, 3) }, () => ({
          ...draw.oneOf<object>(
            { from_rank: 1, to_rank: draw.integer(1, 100) },
            { top_percent: draw.integer(1, 1_000) / 10 },
          ),
          title: draw.shortName(),
          text: draw.oneOf('', draw.name()),
          rewards: [
            { type: 'item', key: draw.name(), quantity: 5 },
            ...gifts.slice(0, draw.integer(0, 2)),
          ],
        })),
        writes_from: draw.oneOf('anyone', 'verified', 'server'),
        on_violation: keeps === 'best' ? draw.oneOf('refuse', 'quarantine') : 'refuse',
        max_gain: draw.integer(1, 1_000) / 8,
        first_gain_from: keeps === 'sum' ? null : draw.number(),
        max_gain_per_hour: draw.oneOf(null, 0.1),
        required_metadata: draw.list(3, draw.name),
        ledger_days: draw.integer(1, 30),
      });
      const interval = keeps_ledger && draw.isChosen() ? { min_submit_interval_ms: 500 } : {};
      const body = { ...settings, keeps, keeps_ledger, ...interval };
      await send('PUT', `/leaderboards/${at(name)}`, body);
    }
  },

  async event_schema({ send }, draw) {
    for (const name of draw.list(3, draw.name)) {
      await send('PUT', `/event-schemas/${at(name)}`, { schema: drawSchema(draw) });
    }
  },

  async metric({ send }, draw) {
    const keys = draw.list(3, draw.name);
    for (const key of keys) {
      const money = { unit: 'money', currency: 'EUR', amount_unit: draw.oneOf('minor', 'micro') };
      const fields = draw.oneOf<object>(
        { kind: 'count', per: draw.oneOf('player', 'day') },
        { kind: 'players', event_name: draw.name() },
        { kind: 'sum', event_name: 'buy', property: draw.name(), ...money },
        { kind: 'percentile', event_name: 'buy', property: 'price', percentile: 90 },
      );
      const described = draw.partOf({ description: draw.text() });
      await send('PUT', `/metrics/${at(key)}`, { name: draw.name(), ...described, ...fields });
    }
    const { metrics } = await send('GET', '/metrics');
    const counts = (metrics as { key: string; kind: string }[]).filter(
      ({ kind }) => kind === 'count' || kind === 'players',
    );
    if (counts.length === 0) return;
    const [numerator, denominator] = [counts[0]!.key, counts.at(-1)!.key];
    const ratio = { kind: 'ratio', numerator, denominator, unit: 'percent' };
    await send('PUT', `/metrics/${at(`${draw.name()} ratio`.slice(0, 255))}`, {
      name: draw.name(),
      ...ratio,
    });
  },

  async remote_config({ send }, draw) {
    const drawRule = () =>
      writeObject([
        ...(draw.isChosen() ? [['name', JSON.stringify(draw.name())] as const] : []),
        draw.oneOf(
          ['percentage', `${draw.integer(0, 800) / 8}`] as const,
          ['has_tags', JSON.stringify(draw.list(2, () => draw.oneOf('vip', 'Tester', 'yes')))],
          ['properties', '[{"property":"level","operator":"gte","value":9007199254740993}]'],
        ),
        ['value', draw.json()],
      ]);
    const drawParameter = () =>
      writeObject([
        ['value', draw.json()],
        ...(draw.isChosen() ? [['description', JSON.stringify(draw.text())] as const] : []),
        ...(draw.isChosen() ? [['rules', `[${draw.list(2, drawRule).join(',')}]`] as const] : []),
      ]);
    for (const environment of ENVIRONMENTS) {
      const keys = new Set(draw.list(3, draw.name));
      const parameters = writeObject([...keys].map((key) => [key, drawParameter()]));
      await send('PUT', `/config?environment=${environment}`, `{"parameters":${parameters}}`);
    }
  },

  async experiment({ send }, draw) {
    for (const name of draw.list(3, () => draw.oneOf('Experiment', draw.name()))) {
      const query = `?environment=${draw.oneOf(...ENVIRONMENTS)}`;
      const { parameters } = await send('GET', `/config${query}`);
      const values = writeObject([[draw.oneOf(...Object.keys(parameters)), draw.json()]]);
      const number = '9007199254740993';
      const condition = `{"properties":[{"property":"level","operator":"gte","value":${number}}]}`;
      const metric = draw.oneOf(
        '{"kind":"retention","days":1,"good":"lower"}',
        '{"kind":"event_sum","days":7,"event_name":"buy","property":"coins","cap":0.1}',
      );
      const experiment = writeObject([
        ['name', JSON.stringify(name)],
        ['share', `${draw.integer(1, 800) / 8}`],
        ...(draw.isChosen() ? [['description', JSON.stringify(draw.text())] as const] : []),
        ...(draw.isChosen() ? [['condition', condition] as const] : []),
        ['variants', `[{"name":"A","weight":1},{"name":"B","weight":2,"values":${values}}]`],
        ['metrics', `[${metric},{"kind":"revenue","days":30,"guardrail":true}]`],
      ]);
      const { id } = await send('POST', `/experiments${query}`, experiment);
      const step = draw.oneOf(null, 'start', 'stop');
      if (step !== null) await send('POST', `/experiments/${id}/start${query}`);
      if (step === 'stop') await send('POST', `/experiments/${id}/stop${query}`);
    }
  },

  async segment({ send }, draw) {
    for (const name of draw.list(2, draw.name)) {
      const query = `has_tags=${at(draw.name())}`;
      await send('PUT', `/saved-reports/segment/${at(name)}`, { query, replace_used: true });
    }
  },

  async saved_report({ send }, draw) {
    const kinds = SAVED_REPORT_KINDS.filter((kind) => kind !== 'segment');
    for (const name of draw.list(2, draw.name)) {
      const query = draw.oneOf('steps=%5B%5D', `event_name=${at(draw.name())}`, draw.name());
      await send('PUT', `/saved-reports/${draw.oneOf(...kinds)}/${at(name)}`, { query });
    }
  },

  async dashboard({ send }, draw) {
    const drawCard = () => {
      const report = draw.oneOf('active-players', 'retention', 'sessions', 'events');
      const charts: readonly string[] = REPORTS[report].charts;
      const days = { last_days: draw.integer(1, 90) };
      return {
        title: draw.name(),
        report,
        chart: draw.oneOf(...charts),
        ...draw.partOf({ query: `players=${at('{"segment":"A"}')}` }),
        ...draw.oneOf<object>({}, days, { from: '2026-03-01', to: '2026-03-07' }),
      };
    };
    const { experiments } = await send('GET', '/experiments?environment=production');
    const results = (experiments as { id: string }[]).map(({ id }) => ({
      title: 'Results',
      report: 'results',
      chart: 'difference',
      query: draw.oneOf(`experiment_id=${id}&metric=1`, `experiment_id=${id}`),
    }));
    const drawCards = () => (draw.isChosen() ? [...draw.list(3, drawCard), ...results] : []);
    for (const name of draw.list(2, draw.shortName)) {
      await send('POST', '/dashboards', { name, cards: drawCards() });
    }
    const { dashboards } = await send('GET', '/dashboards');
    const { id } = draw.oneOf(...(dashboards as { id: string }[]));
    await send('PATCH', `/dashboards/${id}`, { cards: drawCards(), position: draw.integer(1, 3) });
  },

  async player_verification({ send }, draw) {
    for (const environment of ENVIRONMENTS) {
      const verification = draw.oneOf('off', 'claimed', 'required');
      const settings = { verification, ...draw.partOf({ allows_claims: draw.isChosen() }) };
      await send('PATCH', `/player-verification?environment=${environment}`, settings);
    }
  },

  async shares({ send }, draw) {
    const drawShare = () => draw.oneOf(null, draw.integer(100, 1_000_000));
    for (const environment of ENVIRONMENTS) {
      const settings = {
        player_requests_per_minute: drawShare(),
        ...draw.partOf({
          network_requests_per_minute: drawShare(),
          player_events_per_minute: drawShare(),
          monthly_events_percent: draw.oneOf(null, draw.integer(1, 100)),
        }),
      };
      await send('PATCH', `/shares?environment=${environment}`, settings);
    }
  },

  async revenue_settings({ send }, draw) {
    const drawRate = (day: number) => ({
      currency: draw.oneOf('USD', 'JPY'),
      valid_from: `2026-01-${10 + day}`,
      rate: draw.oneOf(0.92, 0.0061, 1e-7, draw.integer(1, 1_000) / 7),
    });
    const currency = draw.oneOf(
      { currency: draw.oneOf('EUR', 'USD') },
      { currency_property: draw.name() },
    );
    const rates = draw.isChosen()
      ? { report_currency: 'EUR', rates: draw.list(5, () => 0).map((_, day) => drawRate(day)) }
      : {};
    const value = draw.oneOf<unknown>(true, draw.name(), 1.5);
    await send('PUT', '/revenue-settings', {
      event_name: draw.name(),
      amount_property: draw.name(),
      ...draw.partOf({
        amount_unit: draw.oneOf('major', 'minor', 'micro'),
        filter: [{ property: draw.name(), operator: 'ne', value }],
      }),
      ...currency,
      ...rates,
    });
  },

  async game_settings({ send }, draw) {
    await send('PATCH', '', {
      player_name_property: draw.oneOf(null, draw.name()),
      ...draw.partOf({
        production_event_validation: draw.oneOf('off', 'warn', 'reject'),
        development_event_validation: draw.oneOf('off', 'warn', 'reject'),
        time_zone: draw.oneOf('Europe/Berlin', 'Asia/Kathmandu', 'UTC'),
      }),
    });
  },

  async webhook({ send }, draw) {
    for (const path of draw.list(2, draw.name)) {
      const webhook = await send('POST', '/webhooks', {
        url: `https://hooks.studio.example/${at(path)}?token=${draw.integer(0, 9)}`,
        events: draw.someOf(...SERVICE_EVENT_TYPES),
        ...draw.partOf({
          description: draw.text(),
          environments: draw.oneOf(['production'], ['production', 'development']),
        }),
      });
      if (!draw.isChosen()) continue;
      await send('PATCH', `/webhooks/${webhook.id}`, { enabled: draw.isChosen() });
    }
  },

  async login_provider({ send }, draw) {
    for (const environment of ENVIRONMENTS) {
      const put = (provider: string, body: object) =>
        send('PUT', `/login-providers/${provider}?environment=${environment}`, body);
      const issuer = draw.oneOf('https://accounts.studio.example', 'https://id.studio.example/a');
      await put(draw.oneOf('google', 'epic_games', 'a-1'), {
        issuer,
        audiences: draw.list(3, draw.name),
        ...draw.partOf({ jwks_url: `${issuer}/keys` }),
      });
      const identity = draw.partOf({ identity: draw.name() });
      await put('steam', { app_id: `${draw.integer(1, 480)}`, web_api_key: 'SECRET', ...identity });
      // A file cannot put a secret in place of a public key.
      const is_secret = environment === 'development';
      await put('custom', is_secret ? { secret: 's'.repeat(32) } : { public_key: PUBLIC_KEY });
    }
  },

  async alert({ send }, draw) {
    const rules = [
      { metric: draw.oneOf('payers', 'sessions', 'refused_events_percent') },
      { metric: 'save_conflict_percent', period: 'hour' },
      { metric: 'events', ...draw.partOf({ event_name: draw.name(), period: 'hour' }) },
    ];
    for (const name of draw.list(3, () => draw.oneOf('Alert', draw.name()))) {
      const { webhooks } = await send('GET', '/webhooks');
      await send('POST', '/alerts', {
        name,
        environment: draw.oneOf(...ENVIRONMENTS),
        ...draw.oneOf(...rules),
        comparison: draw.oneOf('above', 'below', 'rises', 'falls'),
        threshold: draw.integer(1, 800) / 8,
        ...draw.partOf({
          baseline: draw.oneOf('usual', 'previous'),
          cool_down_hours: draw.integer(1, 24),
          muted: draw.isChosen(),
          webhook_ids: [webhooks[0].id],
        }),
      });
    }
  },
};
