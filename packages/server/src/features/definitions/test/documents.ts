import type { TestDocument } from './studio.ts';

/** One definition or more of most kinds, in the order in which they are made. */
export const DOCUMENTS: TestDocument[] = [
  { kind: 'achievement', key: 'b', definition: { name: 'Bee', points: 5, position: 1 } },
  { kind: 'achievement', key: 'a', definition: { name: 'Ant', position: 7, archived: true } },
  {
    kind: 'leaderboard',
    key: 'high scores',
    definition: { reset_schedule: 'weekly', max_gain: 10.5, required_metadata: ['level'] },
  },
  {
    kind: 'event_schema',
    key: 'purchase',
    definition: { schema: { type: 'object', properties: { item: { type: 'string' } } } },
  },
  {
    kind: 'metric',
    key: 'payers',
    definition: { name: 'Payers', kind: 'players', event_name: 'purchase' },
  },
  {
    kind: 'remote_config',
    key: 'production',
    definition: {
      parameters: { reward: { value: 100, rules: [{ percentage: 12.5, value: null }] } },
    },
  },
  {
    kind: 'remote_config',
    key: 'development',
    definition: { parameters: { shop: { value: { open: true } } } },
  },
  {
    kind: 'experiment',
    key: 'production/Reward',
    definition: {
      share: 50,
      condition: { lacks_tags: ['staff'] },
      variants: [
        { name: 'Control', weight: 1 },
        { name: 'Generous', weight: 1, values: { reward: 200 } },
      ],
      metrics: [{ kind: 'retention', days: 1 }],
    },
  },
  { kind: 'segment', key: 'Whales', definition: { query: 'has_tags=whale' } },
  { kind: 'saved_report', key: 'funnel/First/Buy', definition: { query: 'steps=%5B%5D' } },
  {
    kind: 'dashboard',
    key: 'Main',
    definition: {
      cards: [
        { title: 'Back', report: 'retention', chart: 'curve' },
        {
          title: 'Launch',
          report: 'active-players',
          chart: 'daily',
          width: 'full',
          from: '2026-03-01',
          to: '2026-03-07',
        },
      ],
    },
  },
  {
    kind: 'alert',
    key: 'production/Players stay away',
    definition: { metric: 'active_players', comparison: 'falls', threshold: 12.5 },
  },
  {
    kind: 'player_verification',
    key: 'development',
    definition: { verification: 'claimed', allows_claims: false },
  },
  {
    kind: 'shares',
    key: 'development',
    definition: { player_requests_per_minute: 60, monthly_events_percent: 20 },
  },
  {
    kind: 'revenue_settings',
    key: 'game',
    definition: {
      event_name: 'purchase',
      amount_property: 'cents',
      amount_unit: 'minor',
      currency: 'USD',
      report_currency: 'EUR',
      rates: [{ currency: 'USD', valid_from: '2026-01-01', rate: 0.92 }],
    },
  },
  {
    kind: 'game_settings',
    key: 'game',
    definition: { time_zone: 'UTC', development_event_validation: 'reject' },
  },
];

/** The number of documents of a game in which nobody has made anything: its settings. */
export const SETTINGS = 7;
/** The number of documents of a game to which the documents above were applied. */
export const APPLIED = DOCUMENTS.length + 2;
