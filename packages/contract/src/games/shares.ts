import type { Static } from 'typebox';
import { answer } from '../answers.ts';
import { EnvironmentName, EnvironmentQuery } from '../common.ts';
import { MAX_TRACK_BATCH_SIZE } from '../events/track.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';

const operation = operationsIn('Games');

/** The maximum of a share (the rate limit of one player or one network), in requests or events a minute. */
export const MAX_SHARE_PER_MINUTE = 1_000_000;
/** The server suggests shares after it has counted at most this many of the newest events. */
export const MAX_COUNTED_EVENTS = 100_000;
/** The minimum of a share of requests: a game that starts sends this many requests at the same time. */
const MIN_REQUESTS = 10;

const share = (minimum: number, description: string) =>
  t.Nullable(
    t.Integer(`${description}; null: no limit.`, { minimum, maximum: MAX_SHARE_PER_MINUTE }),
  );

const SHARES = {
  player_requests_per_minute: share(
    MIN_REQUESTS,
    'Requests a minute about one player, over all client keys',
  ),
  network_requests_per_minute: share(
    MIN_REQUESTS,
    'Requests a minute from one network (an IPv4 address, or an IPv6 /64) with one client key',
  ),
  player_events_per_minute: share(
    MAX_TRACK_BATCH_SIZE,
    'Events a minute that name one player; at least as many as fit into one request',
  ),
  monthly_events_percent: t.Nullable(
    t.Integer(
      "Percent of the game's monthly event quota that keys of this environment may use, server keys too; null: all.",
      { minimum: 1, maximum: 100 },
    ),
  ),
};

/** The shares of an environment. */
const Shares = t.Object(SHARES);
export type Shares = Static<typeof Shares>;
export const SHARE_NAMES = Object.keys(SHARES) as (keyof Shares)[];

const Traffic = t.Object(
  {
    counted_since: t.Nullable(
      t.Timestamp('When the oldest counted event was received; null: none was counted.'),
    ),
    event_count: t.Integer('Events that were counted.'),
    player_count: t.Integer('Players whom they name.'),
    busy_minute_events: t.Nullable(
      t.Integer(
        'In 99 of 100 minutes in which a player sent events, the player sent at most this many. Null: none was counted.',
      ),
    ),
    busy_minute_requests: t.Nullable(
      t.Integer(
        'The same for requests. Those with events are counted by player. The others are not, so the mean number of them in such a minute of the last 24 hours is added: with few players it says little. Null: no event was counted.',
      ),
    ),
  },
  {
    title: 'SharedTraffic',
    description: `The traffic of the environment: the newest ${MAX_COUNTED_EVENTS.toLocaleString('en')} events of the last 7 days that name a player, by the minute of their receipt.`,
  },
);

const Month = t.Object(
  {
    used: t.Integer('Events of this environment this month.'),
    quota: t.Integer('Events a month of the game, over both environments.'),
  },
  { title: 'EnvironmentMonth', description: 'Events in this UTC calendar month.' },
);

const EnvironmentShares = t.Resource('Shares', {
  environment: EnvironmentName,
  ...SHARES,
  key_requests_per_minute: t.Integer('Requests a minute that each key of the game may send.'),
  suggested: t.Object(
    {
      player_requests_per_minute: t.Integer('For each player.'),
      network_requests_per_minute: t.Integer('For each network.'),
      player_events_per_minute: t.Integer('For each player.'),
      monthly_events_percent: t.Nullable(
        t.Integer(
          'For development: 20 percent, or twice its use of this month. Null for production, which needs no such limit.',
        ),
      ),
    },
    {
      title: 'SuggestedShares',
      description:
        'Ten times the number that 99 of 100 players did not pass in their busy minutes, but at least numbers that suit most games; for a network as much as for ten players, but at most half of the requests of a key.',
    },
  ),
  traffic: Traffic,
  month: Month,
});

const example: Static<typeof EnvironmentShares> = {
  environment: 'production',
  player_requests_per_minute: 120,
  network_requests_per_minute: null,
  player_events_per_minute: 900,
  monthly_events_percent: null,
  key_requests_per_minute: 1_000,
  suggested: {
    player_requests_per_minute: 120,
    network_requests_per_minute: 500,
    player_events_per_minute: 900,
    monthly_events_percent: null,
  },
  traffic: {
    counted_since: '2026-03-14T07:12:41.020Z',
    event_count: 100_000,
    player_count: 4_211,
    busy_minute_events: 84,
    busy_minute_requests: 11,
  },
  month: { used: 171_030, quota: 1_000_000 },
};

export const getShares = operation('GET /v1/games/{game_id}/shares', {
  access: 'viewer',
  summary: 'Read how much one player may send',
  description:
    'The rate limits of single players and networks in an environment, which the API calls shares, and numbers that suit its traffic. A new game has none: then one player can use up all requests of a key.',
  query: EnvironmentQuery,
  answers: { 200: answer('The rate limits.', EnvironmentShares, example) },
});

export const updateShares = operation('PATCH /v1/games/{game_id}/shares', {
  access: 'developer',
  summary: 'Choose how much one player may send',
  description:
    'Takes effect on every server within a second. A request past a limit is answered 429 with `Retry-After`, and does not count against its key. Requests with server keys have no such limit. A player is the one of the player token, or the one whom the request names; a request with events counts for the first player whom it names. Requests with and without a player token have counts of their own, so nobody without the token can use up the limit of a player who has one. Without tokens a caller may name a new player with each request: only the limit of a network bounds such callers. `monthly_events_percent` keeps tests from using up the month of the players: events past it are answered 429 like events past the quota, and `message` says so. Members that are left out stay as they are; null removes a limit. Production needs the role admin.',
  query: EnvironmentQuery,
  body: t.Changes(SHARES),
  example: { player_requests_per_minute: 120 },
  answers: {
    200: answer('The rate limits as they are now.', EnvironmentShares, {
      ...example,
      environment: 'development',
    }),
  },
});
