import { now, repeat, rising, text, upTo } from './request-shape.ts';
import type { Part, RequestShape } from './request-shape.ts';

/** The requests that games send, from many players. */

type Keys = readonly string[];

const event: Part[] = text`{"event_name":"level_complete","session_id":"s${upTo(50_000)}","player_id":"player-${upTo(20_000)}","properties":{"level":${upTo(50)},"seconds":${upTo(300)},"stars":${upTo(3)}},"client_timestamp":"${now}"}`;

export const track = (keys: Keys, events: number): RequestShape => ({
  method: 'POST',
  path: ['/v1/track'],
  body: events === 1 ? event : text`[${repeat(events, event)}]`,
  keys,
});

/**
 * `random`: most scores are not better than the player's best. `improving`: each score is better than all
 * earlier scores.
 */
export type Scores = 'random' | 'improving';

export const submitScore = (keys: Keys, players: number, scores: Scores): RequestShape => ({
  method: 'POST',
  path: ['/v1/leaderboards'],
  body: text`{"board_name":"board","player_id":"player-${upTo(players)}","score":${scores === 'improving' ? rising : upTo(1_000_000)}}`,
  keys,
});

export const getPage = (keys: Keys): RequestShape => ({
  method: 'GET',
  path: ['/v1/leaderboards/board?limit=50'],
  keys,
});

export const putSave = (keys: Keys, bytes: number, players: number): RequestShape => ({
  method: 'PUT',
  path: ['/v1/saves'],
  body: text`{"player_id":"player-${upTo(players)}","data":{"level":${upTo(50)},"bag":"${'x'.repeat(Math.max(0, bytes - 24))}"}}`,
  keys,
});

export const getSave = (keys: Keys, players: number): RequestShape => ({
  method: 'GET',
  path: text`/v1/saves?player_id=player-${upTo(players)}`,
  keys,
});

export const logIn = (keys: Keys, players: number, secret: string): RequestShape => ({
  method: 'POST',
  path: ['/v1/players/login'],
  body: text`{"provider":"device","device_id":"device-${upTo(players)}","secret":"${secret}"}`,
  keys,
});

/** Reads the save of the player whom the token names. */
export const getOwnSave = (keys: Keys, player_tokens: readonly string[]): RequestShape => ({
  method: 'GET',
  path: ['/v1/saves'],
  keys,
  player_tokens,
});

export const identify = (keys: Keys, players: number): RequestShape => ({
  method: 'POST',
  path: ['/v1/identify'],
  body: text`{"player_id":"player-${upTo(players)}","properties":{"level":${upTo(50)},"country":"DE"}}`,
  keys,
});

export const unlock = (keys: Keys, players: number): RequestShape => ({
  method: 'POST',
  path: ['/v1/achievements/unlock'],
  body: text`{"player_id":"player-${upTo(players)}","achievement_key":"a${upTo(10)}"}`,
  keys,
});

/** Changes the first `count` of the statistics s1, s2… of a player. */
export const changeStats = (keys: Keys, players: number, count: number): RequestShape => {
  const changes = Array.from({ length: count }, (_, index) => `{"key":"s${index + 1}","value":1}`);
  const rest = changes.join(',');
  return {
    method: 'POST',
    path: ['/v1/stats'],
    body: text`{"player_id":"player-${upTo(players)}","changes":[${rest}]}`,
    keys,
  };
};

/** Adds 1 to one of the statistics u1 to u10, each of which unlocks an achievement at 1. */
export const unlockByRule = (keys: Keys, players: number): RequestShape => ({
  method: 'POST',
  path: ['/v1/stats'],
  body: text`{"player_id":"player-${upTo(players)}","changes":[{"key":"u${upTo(10)}","value":1}]}`,
  keys,
});

export const listStats = (keys: Keys, players: number): RequestShape => ({
  method: 'GET',
  path: text`/v1/stats?player_id=player-${upTo(players)}`,
  keys,
});

export const listAchievements = (keys: Keys, players: number): RequestShape => ({
  method: 'GET',
  path: text`/v1/achievements?player_id=player-${upTo(players)}`,
  keys,
});

export const listMessages = (keys: Keys, players: number): RequestShape => ({
  method: 'GET',
  path: text`/v1/messages?player_id=player-${upTo(players)}`,
  keys,
});

/** The number of messages that players claim. The ids of seeded messages end with their numbers, from 1. */
export const CLAIMED_MESSAGES = 9;

export const claimMessage = (keys: Keys, players: number): RequestShape => ({
  method: 'POST',
  path: text`/v1/messages/00000000-0000-4000-8000-00000000000${upTo(CLAIMED_MESSAGES)}/claim`,
  body: text`{"player_id":"player-${upTo(players)}"}`,
  keys,
});

export const getPlayerConfig = (keys: Keys, players: number): RequestShape => ({
  method: 'GET',
  path: text`/v1/config?player_id=player-${upTo(players)}`,
  keys,
});

export const getConfig = (keys: Keys): RequestShape => ({
  method: 'GET',
  path: ['/v1/config'],
  keys,
});
