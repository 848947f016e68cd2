import { MAX_REPORT_EVENT_NAMES } from '@overworld/contract/analytics/limits';
import { useRead } from '../../api/hooks.ts';
import { knownProperties } from '../known-properties.ts';
import { useGame } from '../../shell/game.ts';

const RECENT = 100;
/** The most names in a list. Nobody chooses from a longer list. */
const MAX_SUGGESTED = 200;

/** Loads the names of the events of the last 30 days, the most frequent first. */
export function useEventNames(): string[] {
  const { inEnvironment } = useGame();
  const counts = useRead(
    'GET /v1/games/{game_id}/analytics/events',
    inEnvironment({}, { limit: MAX_REPORT_EVENT_NAMES }),
    { keep: true },
  );
  return counts.data?.events.map(({ event_name }) => event_name) ?? [];
}

/** Loads the names of the properties that the newest events with this name have, the most common first. */
export function useEventProperties(event_name: string): string[] {
  const { inEnvironment } = useGame();
  const events = useRead(
    'GET /v1/games/{game_id}/events',
    inEnvironment({}, { event_name, limit: RECENT }),
    { enabled: event_name !== '' },
  );
  return knownProperties((events.data?.events ?? []) as { properties: object }[]);
}

/** Loads the players who were seen last. */
function useRecentPlayers() {
  const { inEnvironment } = useGame();
  const players = useRead('GET /v1/games/{game_id}/players', inEnvironment({}, { limit: RECENT }));
  return players.data?.players ?? [];
}

/** Loads the property names of the players who were seen last, the most common first. */
export const usePlayerProperties = (): string[] => knownProperties(useRecentPlayers());

/** Loads the texts that the players who were seen last have in a property, the most common first. */
export const usePlayerTexts = (property: string): string[] => {
  const counts = new Map<string, number>();
  for (const { properties } of useRecentPlayers()) {
    const value = (properties as Record<string, unknown>)[property];
    if (typeof value === 'string') counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].toSorted((a, b) => b[1] - a[1]).map(([text]) => text);
};

/** Loads the tags of the players who were seen last, in alphabetical order. */
export const usePlayerTags = (): string[] =>
  [...new Set(useRecentPlayers().flatMap(({ tags }) => tags))].toSorted();

/** Loads the statistics of the game that are not archived, as options of a field; undefined until they are there. */
export function useStatOptions(): { value: string; label: string }[] | undefined {
  const { inEnvironment } = useGame();
  const { data } = useRead('GET /v1/games/{game_id}/stats', inEnvironment());
  return data?.stats
    .filter(({ archived }) => !archived)
    .map(({ key, name }) => ({ value: key, label: name }));
}

export function useSegmentNames(): string[] {
  const { game_id } = useGame();
  const segments = useRead('GET /v1/games/{game_id}/saved-reports', {
    params: { game_id },
    query: { kind: 'segment', limit: MAX_SUGGESTED },
  });
  return segments.data?.saved_reports.map(({ name }) => name) ?? [];
}
