import type { SeasonReward } from '@overworld/contract/leaderboards/reward-fields';
import { PREVIEWED_PLAYERS } from '@overworld/contract/leaderboards/season-reward-limits';
import type { previewSeasonRewards } from '@overworld/contract/leaderboards/season-rewards';
import type { SuccessOf } from '@overworld/contract/operation';
import type { PageReader } from '../pages/page-reader.ts';
import type { BoardKey } from '../store.ts';
import { listOwnRanks, rangesOf } from './reward-ranks.ts';

type Preview = SuccessOf<typeof previewSeasonRewards>;
type PreviewedPlayer = Preview['rewards'][number]['players'][number];

interface Page {
  season: number;
  total_entries: number;
  entries: PreviewedPlayer[];
}

/**
 * Says who would get which reward if the season ended now. The numbers follow from the number of entries, and the
 * examples are read as pages of the board, so that even a board of a million entries takes a few milliseconds.
 * @param season Null for the current season.
 */
export async function previewRewards(
  pages: Pick<PageReader, 'read'>,
  board: BoardKey,
  season: number | null,
  rewards: readonly SeasonReward[],
): Promise<Omit<Preview, 'waiting_scores'>> {
  const read = async (offset: number, limit: number) =>
    JSON.parse(await pages.read({ board, season, player_id: null, offset, limit })) as Page;
  const { season: number, total_entries } = await read(0, 1);
  const own = listOwnRanks(rangesOf(rewards, total_entries), PREVIEWED_PLAYERS);
  const previewed = await Promise.all(
    own.map(async ({ first_rank, last_rank, count, examples }, place) => {
      const found = await Promise.all(examples.map((rank) => read(rank - 1, 1)));
      return {
        title: rewards[place]!.title,
        first_rank,
        last_rank,
        player_count: count,
        players: found.flatMap(({ entries }) =>
          entries.map(({ player_id, player_name, rank, score }) => ({
            player_id,
            player_name,
            rank,
            score,
          })),
        ),
      };
    }),
  );
  return { season: number, total_entries, rewards: previewed };
}
