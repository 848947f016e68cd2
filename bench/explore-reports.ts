import { HISTORY_DAYS } from './event-history.ts';

/** Returns the date of the day that is `offset` days after today. */
export function day(offset: number): string {
  return new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
}

const encode = (value: unknown) => encodeURIComponent(JSON.stringify(value));
const WHERE = `game_id = $1 AND environment = 'production'
  AND occurred_at >= date_trunc('day', now()) - interval '${HISTORY_DAYS} days'
  AND occurred_at < date_trunc('day', now())`;

const FUNNEL = ['session_start', 'level_complete', 'purchase'].map((event_name) => ({
  event_name,
}));
const NAIVE_FUNNEL = `
  WITH first AS (
    SELECT player_id, occurred_at FROM events WHERE ${WHERE} AND event_name = 'session_start'
  ), second AS (
    SELECT player_id, first.occurred_at, min(next.occurred_at) AS second_at
    FROM first JOIN events AS next USING (player_id)
    WHERE next.game_id = $1 AND next.environment = 'production'
      AND next.event_name = 'level_complete' AND next.occurred_at >= first.occurred_at
      AND next.occurred_at <= first.occurred_at + interval '7 days'
    GROUP BY 1, 2
  ), third AS (
    SELECT DISTINCT player_id FROM second JOIN events AS next USING (player_id)
    WHERE next.game_id = $1 AND next.environment = 'production' AND next.event_name = 'purchase'
      AND next.occurred_at >= second_at
      AND next.occurred_at <= second.occurred_at + interval '7 days'
  )
  SELECT (SELECT count(DISTINCT player_id) FROM first), (SELECT count(DISTINCT player_id) FROM second),
         (SELECT count(*) FROM third)`;
const naiveBreakdown = (event_name: string, group: string, property: string) => `
  SELECT properties ->> '${group}', count(*), count(DISTINCT player_id),
         sum((properties ->> '${property}')::numeric), avg((properties ->> '${property}')::numeric),
         percentile_cont(ARRAY[0, 0.25, 0.5, 0.75, 0.9, 0.99, 1]) WITHIN GROUP (
           ORDER BY (properties ->> '${property}')::float8)
  FROM events WHERE ${WHERE} AND event_name = '${event_name}'
  GROUP BY 1 ORDER BY 2 DESC`;

/** Reports, each with a plain SQL query of the events table that has the same result. */
export const REPORTS = [
  {
    name: 'funnel of 3 steps, a third of all events',
    path: `funnel?steps=${encode(FUNNEL)}`,
    naive: NAIVE_FUNNEL,
  },
  {
    name: 'breakdown of purchases by product, 1 % of all events',
    path: 'breakdown?event_name=purchase&group_by=product&property=price',
    naive: naiveBreakdown('purchase', 'product', 'price'),
  },
  {
    name: 'breakdown of completed levels, 25 % of all events',
    path: 'breakdown?event_name=level_complete&group_by=level&property=seconds',
    naive: naiveBreakdown('level_complete', 'level', 'seconds'),
  },
  {
    name: 'funnel of 2 steps with a condition and a breakdown',
    path: `funnel?breakdown=platform&steps=${encode([
      { event_name: 'session_start' },
      {
        event_name: 'purchase',
        filter: [{ property: 'price', operator: 'gte', value: 5 }],
      },
    ])}`,
    naive: null,
  },
  {
    name: 'revenue of two months, 1 % of all events',
    path: 'revenue?',
    naive: null,
  },
  {
    name: 'paths of 3 steps after a level, within the session',
    path: 'path?event_name=level_complete',
    naive: null,
  },
  {
    name: 'paths of 3 steps before a purchase, within a day',
    path: 'path?event_name=purchase&direction=previous&window_hours=24',
    naive: null,
  },
  {
    name: 'segment: bought twice and did not start a session',
    path: `segment?events=${encode([
      { event_name: 'purchase', at_least: 2 },
      { event_name: 'session_start', did: false, at_least: 5 },
    ])}`,
    naive: null,
  },
];

const GERMANS = `players=${encode({ properties: [{ property: 'country', operator: 'eq', value: 'de' }] })}`;

/**
 * Reports on some of the players, and reports on paths. Within a short time the reader must see either the
 * report or its progress.
 */
export const WATCHED = [
  { name: 'paths after a level', path: 'path?event_name=level_complete' },
  {
    name: 'paths after a level within a day',
    path: 'path?event_name=level_complete&window_hours=24',
  },
  {
    name: 'paths before a purchase, within a day',
    path: 'path?event_name=purchase&direction=previous&window_hours=24',
  },
  { name: 'paths after a level, of a country', path: `path?event_name=level_complete&${GERMANS}` },
  { name: 'active players of a country', path: `active-players?${GERMANS}` },
  { name: 'retention, split by country', path: 'retention?split_by=property:country' },
  { name: 'sessions of a country', path: `sessions?${GERMANS}` },
  { name: 'all events of a country', path: `events?${GERMANS}` },
  { name: 'all events, split by country', path: 'events?split_by=property:country' },
  {
    name: 'funnel of 3 steps, of a country',
    path: `funnel?steps=${encode(FUNNEL)}&${GERMANS}`,
  },
  { name: 'revenue of a country', path: `revenue?${GERMANS}` },
  { name: 'revenue, split by country', path: 'revenue?split_by=property:country' },
  {
    name: 'paths after a level, split by country',
    path: 'path?event_name=level_complete&split_by=property:country',
  },
  {
    name: 'players who did not return on day 7',
    path: `segment?cell=${encode({ report: 'retention', from: day(-20), to: day(-10), day: 7, returned: false })}`,
  },
];
