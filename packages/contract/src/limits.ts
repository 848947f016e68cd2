import type { Static } from 'typebox';
import { answer } from './answers.ts';
import type { Answer } from './operation.ts';
import { t } from './schema.ts';
import { LIMITED_RESOURCES, MAX_FREE_GAMES, TIERS } from './tiers.ts';
import type { LimitedResource, RefusedResource } from './tiers.ts';

/** Largest limit that an administrator can set. */
const MAX_LIMIT = 1_000_000_000_000_000;

/** Describes the things that each limit counts. Players' data in both environments is counted together. */
const LIMIT_MEANINGS: Record<LimitedResource, string> = {
  save_bytes: 'Bytes of cloud saves, with the versions that are kept of them.',
  players: 'Players, without those whom only events have named.',
  leaderboard_entries:
    'Entries of leaderboards, in all seasons, and scores that wait for a decision.',
  ledger_rows:
    'Submits on record in ledgers of leaderboards. At the limit, the players with the most on a board lose their oldest ones; no submit is refused.',
  leaderboards: 'Leaderboards.',
  achievements: 'Achievements, archived ones too.',
  stats: 'Statistics, archived ones too.',
  event_schemas: 'Event schemas.',
  members: 'Members.',
  daily_invitations: 'Invitations sent in the last 24 hours.',
  alerts: 'Alerts.',
  webhooks: 'Webhooks.',
  webhook_deliveries:
    'Messages to webhooks on record, with those that wait. At the limit, the oldest go: first those that were sent, then those that wait.',
  messages:
    'Messages to players, also those that have ended in the last 90 days, without the rewards of seasons.',
};

function ofEach<S>(make: (meaning: string) => S): Record<LimitedResource, S> {
  const entries = LIMITED_RESOURCES.map((name) => [name, make(LIMIT_MEANINGS[name])]);
  return Object.fromEntries(entries) as Record<LimitedResource, S>;
}

const Limit = (description: string) => t.Integer(description, { minimum: 0, maximum: MAX_LIMIT });

/** The limit of requests for each key of a game, unless an administrator raises it. */
const USUAL_KEY_REQUESTS = 1_000;

/** The limits that an administrator has set for one game. The other limits are those of the game's tier. */
export const LimitOverrides = t.Object(
  {
    ...ofEach((meaning) => t.Optional(Limit(meaning))),
    key_requests_per_minute: t.Optional(
      t.Integer(
        'Requests a minute that each key of the game may send, up to the `RATE_LIMIT_CEILING` of the installation.',
        { minimum: USUAL_KEY_REQUESTS, maximum: 1_000_000_000 },
      ),
    ),
  },
  { title: 'LimitOverrides' },
);
export type LimitOverrides = Static<typeof LimitOverrides>;

export const limitUseMembers = {
  used: t.Integer('How much there is.'),
  limit: t.Integer('How much there may be.'),
};
/** How much of each limited resource a game uses, and the limit of the resource. */
export const LimitUses = t.Object(
  ofEach((description) => t.Object(limitUseMembers, { description })),
  { title: 'LimitUses' },
);
export type LimitUses = Static<typeof LimitUses>;

export const limitUsesExample: LimitUses = {
  save_bytes: { used: 216_530_944, limit: 1_073_741_824 },
  players: { used: 18_204, limit: 100_000 },
  leaderboard_entries: { used: 52_118, limit: 1_000_000 },
  ledger_rows: { used: 310_442, limit: 1_000_000 },
  leaderboards: { used: 6, limit: 100 },
  achievements: { used: 24, limit: 500 },
  stats: { used: 12, limit: 200 },
  event_schemas: { used: 11, limit: 500 },
  members: { used: 4, limit: 25 },
  daily_invitations: { used: 1, limit: 50 },
  alerts: { used: 3, limit: 20 },
  webhooks: { used: 2, limit: 5 },
  webhook_deliveries: { used: 318, limit: 10_000 },
  messages: { used: 42, limit: 10_000 },
};

/** The resources whose limits can refuse a request: data of a game, and the games of an account. */
export type LimitedThing = RefusedResource | 'free_games';

const ASK = 'or ask an administrator of this installation for more';

/** Describes the limit of each resource, and tells the reader how to stay below the limit. */
const LIMITS_IN_WORDS: Record<LimitedThing, (limit: string) => string> = {
  save_bytes: (limit) => `${limit} bytes of saves`,
  players: (limit) => `${limit} players`,
  leaderboard_entries: (limit) => `${limit} leaderboard entries`,
  leaderboards: (limit) => `${limit} leaderboards: delete one, ${ASK}`,
  achievements: (limit) => `${limit} achievements: delete one, ${ASK}`,
  stats: (limit) => `${limit} statistics: delete one, ${ASK}`,
  event_schemas: (limit) => `${limit} event schemas: delete one, ${ASK}`,
  members: (limit) => `${limit} members: remove one, ${ASK}`,
  daily_invitations: (limit) => `${limit} invitations in 24 hours: try again tomorrow, ${ASK}`,
  alerts: (limit) => `${limit} alerts: delete one, ${ASK}`,
  webhooks: (limit) => `${limit} webhooks: delete one, ${ASK}`,
  messages: (limit) => `${limit} messages to players: wait until old ones are deleted, ${ASK}`,
  free_games: (limit) => `${limit} games on the Free tier: delete one, ${ASK}`,
};

/** The body of the 403 for a request that would exceed a limit. */
export function limitReachedBody(resource: LimitedThing, limit: number, used: number) {
  const owner = resource === 'free_games' ? 'You have reached your' : 'This game has reached its';
  return {
    error: `${owner} limit of ${LIMITS_IN_WORDS[resource](limit.toLocaleString('en'))}`,
    code: 'LIMIT_REACHED',
    resource,
    limit,
    used,
  };
}

/** The least that the share of new players of one network is. */
const MIN_NEW_PLAYERS = 1_000;
/** The part of a game's limit of players that one network may make in an hour. */
const NEW_PLAYERS_PART = 1 / 100;

/**
 * Finds the most new players of a game that one network (an IPv4 address, or an IPv6 /64) may make in an hour
 * by calls without a proof. A player token, a server key, or a login at a provider is a proof.
 * @param limit The game's limit of players.
 */
export const shareOfNewPlayers = (limit: number): number =>
  Math.max(MIN_NEW_PLAYERS, Math.floor(limit * NEW_PLAYERS_PART));

const inMinutes = (left_s: number): string => {
  const minutes = Math.ceil(left_s / 60);
  return minutes === 1 ? 'in a minute' : `in ${minutes} minutes`;
};

/** The message of the 429 for a new player of a network that has used up its share. */
export const newPlayersRefused = (share: number, left_s: number): string =>
  `Your network has made ${share.toLocaleString('en')} new players of this game, as many as one network may make in an hour: players who are known can go on, new ones can retry ${inMinutes(left_s)}`;

/** The least that the share of new boards of one network is. */
const MIN_NEW_BOARDS = 50;
/** The part of a game's limit of boards that one network may make in an hour. */
const NEW_BOARDS_PART = 1 / 20;

/**
 * Finds the most boards of a game that the scores of one network (an IPv4 address, or an IPv6 /64) may make
 * in an hour, without a player token or a server key.
 * @param limit The game's limit of boards.
 */
export const shareOfNewBoards = (limit: number): number =>
  Math.max(MIN_NEW_BOARDS, Math.floor(limit * NEW_BOARDS_PART));

/** The message of the 429 for a score that would make a board of a network that has used up its share. */
export const newBoardsRefused = (share: number, left_s: number): string =>
  `Your network has made ${share.toLocaleString('en')} new leaderboards of this game, as many as one network may make in an hour: make this one in the dashboard or with a server key, or retry ${inMinutes(left_s)}`;

/** The least that the share of messages of one sender is. */
const MIN_SENT_MESSAGES = 1_000;
/** The part of a game's limit of messages that one key or account may send in an hour. */
const SENT_MESSAGES_PART = 1 / 10;

/**
 * Finds the most messages to players of a game that one server key or one account may send in an hour.
 * @param limit The game's limit of messages.
 */
export const shareOfMessages = (limit: number): number =>
  Math.max(MIN_SENT_MESSAGES, Math.floor(limit * SENT_MESSAGES_PART));

/** The message of the 429 for a sender of messages who has used up its share. */
export const messagesRefused = (share: number, left_s: number): string =>
  `You have sent ${share.toLocaleString('en')} messages to players of this game, as many as one sender may send in an hour: send one message to many players instead, or retry ${inMinutes(left_s)}`;

const LimitReached = t.Object(
  {
    error: t.String('Which limit is reached, in words.'),
    code: t.Optional(t.String('`LIMIT_REACHED`, where the reason is a limit.')),
    resource: t.Optional(t.String('The thing that the limit counts.')),
    limit: t.Optional(t.Integer('How much there may be.')),
    used: t.Optional(t.Integer('How much there is.')),
  },
  { title: 'LimitReached', additionalProperties: true },
);

/**
 * The 403 answer of an operation that stores something.
 * @param description Says when the operation answers 403.
 * @param resource The resource in the example. The example shows the limit of this resource on the Free tier.
 */
export function limitReached(description: string, resource: LimitedThing): Answer {
  const limit = resource === 'free_games' ? MAX_FREE_GAMES : TIERS.free.limits[resource];
  return answer(
    `${description} Nothing was stored. \`resource\`, \`limit\` and \`used\` say which limit (\`code\` LIMIT_REACHED).`,
    LimitReached,
    limitReachedBody(resource, limit, limit),
  );
}

/** The 403 answer of calls by which games send data of players. */
export const playerLimitReached = limitReached(
  'The player is new, and the game has as many players as it may have.',
  'players',
);
