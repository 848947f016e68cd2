import type { getSegment } from '@overworld/contract/analytics/segment';
import type { QueryOf } from '@overworld/contract/operation';
import { decodeCursor } from '../../../platform/http/cursor.ts';
import { cutPage } from '../../../platform/http/page.ts';
import { toPlayer } from '../../../platform/players/player.ts';
import { readSegmentConditions } from '../request/players-request.ts';
import type { ChoiceServices } from '../request/players-request.ts';
import type { SegmentPage } from './segment.ts';

/** @throws ApiError 400 when a condition or the cursor is not valid. */
export async function readSegment(
  game_id: string,
  query: QueryOf<typeof getSegment>,
  services: ChoiceServices,
) {
  const { limit, cursor } = query;
  // Only the first page counts the players. Its cursor carries their number to the later pages.
  const key = decodeCursor(
    cursor,
    ([count = '', player_id = '', ...rest]) =>
      rest.length === 0 && /^\d{1,15}$/.test(count) && player_id !== '',
  );
  return {
    ...(await readSegmentConditions(game_id, query, services)),
    page: { limit, after: key?.[1] ?? null, count: key ? Number(key[0]) : null },
  };
}

export function toSegmentPage({ count, players }: SegmentPage, limit: number) {
  const { page, next_cursor } = cutPage(players, limit, (last) => [`${count}`, last.player_id]);
  return {
    count,
    players: page.map(toPlayer),
    next_cursor,
  };
}
