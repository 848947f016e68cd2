/** Bodies of wrk's `request()`: what games send, from many players. */

const headers = (key: string) =>
  `{["x-game-api-key"]="${key}",["Content-Type"]="application/json"}`;

export const trackRequest = (key: string, events: number): string => `
  local parts = {}
  for i = 1, ${events} do
    parts[i] = string.format('{"event_name":"level_complete","session_id":"s%d","player_id":"player-%d","properties":{"level":%d,"seconds":%d,"stars":%d},"client_timestamp":"%s"}',
      math.random(50000), math.random(20000), math.random(50), math.random(300), math.random(3), os.date("!%Y-%m-%dT%H:%M:%SZ"))
  end
  local body = ${events === 1 ? 'parts[1]' : `"[" .. table.concat(parts, ",") .. "]"`}
  return wrk.format("POST", "/v1/track", ${headers(key)}, body)`;

export const submitRequest = (key: string, board: string, players: number): string => `
  local body = string.format('{"board_name":"${board}","player_id":"player-%d","score":%d}', math.random(${players}), math.random(1000000))
  return wrk.format("POST", "/v1/leaderboards", ${headers(key)}, body)`;

export const pageRequest = (key: string, board: string): string =>
  `return wrk.format("GET", "/v1/leaderboards/${board}?limit=50", ${headers(key)})`;

export const putSaveRequest = (key: string, bytes: number, players: number): string => `
  local body = string.format('{"player_id":"player-%d","data":{"level":%d,"bag":"${'x'.repeat(Math.max(0, bytes - 24))}"}}', math.random(${players}), math.random(50))
  return wrk.format("PUT", "/v1/saves", ${headers(key)}, body)`;

export const getSaveRequest = (key: string, players: number): string =>
  `return wrk.format("GET", "/v1/saves?player_id=player-" .. math.random(${players}), ${headers(key)})`;

export const identifyRequest = (key: string, players: number): string => `
  local body = string.format('{"player_id":"player-%d","properties":{"level":%d,"country":"DE"}}', math.random(${players}), math.random(50))
  return wrk.format("POST", "/v1/identify", ${headers(key)}, body)`;

export const unlockRequest = (key: string, players: number): string => `
  local body = string.format('{"player_id":"player-%d","achievement_key":"a%d"}', math.random(${players}), math.random(10))
  return wrk.format("POST", "/v1/achievements/unlock", ${headers(key)}, body)`;

export const listAchievementsRequest = (key: string, players: number): string =>
  `return wrk.format("GET", "/v1/achievements?player_id=player-" .. math.random(${players}), ${headers(key)})`;

export const configRequest = (key: string): string =>
  `return wrk.format("GET", "/v1/config", ${headers(key)})`;
