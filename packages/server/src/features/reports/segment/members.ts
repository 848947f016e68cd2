import type { SegmentConditions } from '../players/player-choice.ts';
import { findPlayers } from '../players/find-players.ts';
import type { PlayerSet } from '../players/player-set.ts';
import type { EventSelection } from '../scan/event-selection.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';

/** Finds the players of a segment (its members), as a set of the hashes of their ids. */
export function findMembers(
  database: ExploreDatabase,
  selection: EventSelection,
  { tags, filter, event_conditions, players, cell }: SegmentConditions,
  signal: AbortSignal,
): Promise<PlayerSet> {
  const segment = { tags, filter, event_conditions, players, cell };
  return findPlayers(
    database,
    selection,
    { players: { ...EVERYBODY, segment }, split: null, split_limit: 1 },
    signal,
  );
}

const EVERYBODY = {
  tags: [],
  without_tags: [],
  filter: { filter: [], text: '[]', path: [] },
  values: [],
};
