import type { SuccessOf } from '@overworld/contract/operation';
import { MAX_COUNTED_ENTRIES } from '@overworld/contract/players/story-totals';
import type { getPlayerStoryTotals } from '@overworld/contract/players/story-totals';
import type { Queryable } from '../../../platform/database/database.ts';
import { countRows } from '../../../platform/http/page.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';
import type { StorySource } from '../../../platform/players/story-source.ts';
import { END_OF_TIME_US } from './story.ts';

type StoryTotals = SuccessOf<typeof getPlayerStoryTotals>['totals'];

/**
 * Counts, for each kind, the entries of a player's story that the reader
 * may see. The kinds are counted one after the other, on one connection.
 */
export async function countStory(
  database: Queryable,
  sources: readonly StorySource[],
  player: PlayerKey,
  is_developer: boolean,
): Promise<StoryTotals> {
  const totals: StoryTotals = [];
  const before = { at_us: END_OF_TIME_US, key: null };
  for (const source of sources) {
    const total = await countRows(
      database,
      (from, limit) =>
        source.list(from, player, { before, limit, session: null, event_name: null, is_developer }),
      MAX_COUNTED_ENTRIES,
    );
    totals.push({ kind: source.kind, ...total });
  }
  return totals;
}
