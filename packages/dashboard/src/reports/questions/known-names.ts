import { MAX_REPORT_EVENT_NAMES } from '@overworld/contract/analytics/limits';
import { useRead } from '../../api/hooks.ts';
import { knownProperties } from '../known-properties.ts';
import { useGame } from '../../shell/game.ts';

const RECENT = 100;
const STALE = { keep: true } as const;

/** Names of the events of the last 30 days, the most frequent first. */
export function useEventNames(): string[] {
  const { game_id, environment } = useGame();
  const counts = useRead(
    'GET /v1/games/{game_id}/analytics/events',
    { params: { game_id }, query: { environment, limit: MAX_REPORT_EVENT_NAMES } },
    STALE,
  );
  return counts.data?.events.map(({ event_name }) => event_name) ?? [];
}

/** Names of the properties that the newest events of a name have, the most common first. */
export function useEventProperties(event_name: string): string[] {
  const { game_id, environment } = useGame();
  const events = useRead(
    'GET /v1/games/{game_id}/events',
    { params: { game_id }, query: { environment, event_name, limit: RECENT } },
    { enabled: event_name !== '' },
  );
  return knownProperties((events.data?.events ?? []) as { properties: object }[]);
}

/** Names of the properties that the players last seen have, the most common first. */
export function usePlayerProperties(): string[] {
  const { game_id, environment } = useGame();
  const players = useRead('GET /v1/games/{game_id}/players', {
    params: { game_id },
    query: { environment, limit: RECENT },
  });
  return knownProperties(players.data?.players ?? []);
}
