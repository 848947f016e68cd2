import { randomBytes } from 'node:crypto';
import type { RequestOptions } from './test-request.ts';

type Send = (
  method: string,
  path: string,
  options: RequestOptions,
) => Promise<Record<string, string>>;

interface Names {
  player_id: string;
  tag: string;
  key: string;
  stat_key: string;
  board_name: string;
  event_name: string;
  subject: string;
  /** The beginning of all names that the game can choose itself, such as the `session_id`. */
  prefix: string;
  /** A word that is part of every text that the player sends, except of names. */
  marker: string;
}

/** Makes every kind of call that a game makes for a player. All calls use the API key `key`. */
export async function playIn(
  send: Send,
  key: string,
  { player_id, tag, board_name, event_name, subject, prefix, marker, ...names }: Names,
): Promise<{ player_token: string; refresh_token: string; code: string }> {
  const play = (method: string, path: string, body: unknown) => send(method, path, { key, body });
  const properties = (text: string) => ({ [`${marker} property`]: `${marker} ${text}` });
  await play('POST', '/v1/identify', { player_id, properties: properties('value') });
  await play('POST', `/v1/players/${encodeURIComponent(player_id)}/tags`, { tag });
  for (const gold of [1, 2]) {
    await play('PUT', '/v1/saves', { player_id, data: { gold, text: `${marker} save` } });
  }
  await play('POST', '/v1/achievements/unlock', { player_id, achievement_key: names.key });
  const changes = [{ key: names.stat_key, value: 7 }];
  await play('POST', '/v1/stats', { player_id, changes });
  await play('POST', '/v1/leaderboards', {
    player_id,
    board_name,
    score: 7,
    player_name: `${marker} nick`,
    metadata: { text: `${marker} metadata` },
  });
  const { player_token, refresh_token } = await play('POST', '/v1/players/login', {
    provider: 'device',
    device_id: subject,
    secret: randomBytes(32).toString('base64url'),
    player_id,
  });
  const headers = { 'x-player-token': player_token! };
  const { code } = await send('POST', '/v1/players/move-code', { key, headers });
  await play('POST', '/v1/track', {
    event_name,
    session_id: `${prefix} session`,
    player_id,
    properties: properties('happening'),
  });
  return { player_token: player_token!, refresh_token: refresh_token!, code: code! };
}
