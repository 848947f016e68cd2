import {
  getSeasonRewards,
  listRewardedPlayers,
  previewSeasonRewards,
  rewardSeason,
} from '@overworld/contract/leaderboards/season-rewards';
import { insertAuditEntry } from '../../../platform/audit.ts';
import type { Database } from '../../../platform/database/database.ts';
import { badRequest, conflict, notFound } from '../../../platform/errors.ts';
import type { Api } from '../../../platform/http/api.ts';
import { implement, Reply } from '../../../platform/http/implement.ts';
import { readList } from '../../../platform/http/page.ts';
import { countWaiting } from '../quarantine/waiting-scores.ts';
import type { Leaderboards } from '../leaderboards.ts';
import { boardNotFound } from '../seasons/seasons.ts';
import { listSeasons, lockBoard } from '../seasons/season-store.ts';
import { findBoard } from '../seasons/settings-store.ts';
import type { BoardKey, SeasonKey } from '../store.ts';
import { previewRewards } from './preview.ts';
import { placeGifts } from './known-gifts.ts';
import type { RequireKnown } from './known-gifts.ts';
import { findRun, insertRun, listRewarded } from './reward-runs.ts';
import { requireSoundRewards } from './reward-ranks.ts';

export function mountSeasonRewards(
  api: Api,
  { clock, pages }: Leaderboards,
  requireKnown: RequireKnown,
): void {
  const getBoard = async (database: Database, board: BoardKey) => {
    const found = await findBoard(database, board, clock());
    if (found === null) throw boardNotFound();
    return found;
  };
  const getRun = async (database: Database, season: SeasonKey) => {
    const run = await findRun(database, season);
    if (run === null) throw notFound('The season has no rewards');
    return run;
  };

  implement(api, previewSeasonRewards, async ({ params, query, body, database }) => {
    const board = { ...params, ...query };
    const found = await getBoard(database, board);
    const rewards = body.season_rewards ?? found.season_rewards;
    requireSoundRewards(rewards);
    const preview = await previewRewards(pages, board, body.season ?? null, rewards);
    const season = { ...board, season: preview.season };
    return { ...preview, waiting_scores: await countWaiting(database, season) };
  });

  implement(api, getSeasonRewards, async ({ params, query, read }) =>
    read((database) => getRun(database, { ...params, ...query })),
  );

  implement(api, listRewardedPlayers, async ({ params, query, database }) => {
    const season = { ...params, environment: query.environment };
    await getRun(database, season);
    const key = { place: 'integer', player_id: 'text' } as const;
    const { page, ...rest } = await readList(database, query, key, (from, after, count) =>
      listRewarded(from, season, after, count),
    );
    return { players: page.map(({ place: _place, ...player }) => player), ...rest };
  });

  implement(api, rewardSeason, async ({ params, query, body, actor, database }) => {
    const season = { ...params, ...query };
    const { season_rewards } = body;
    if (season_rewards.length === 0) {
      throw badRequest('season_rewards must have at least one reward');
    }
    requireSoundRewards(season_rewards);
    const run = await database.transaction(async (tx) => {
      const { game_id, environment, board_name } = season;
      if (!(await lockBoard(tx, game_id, board_name))) throw boardNotFound();
      const [found] = await listSeasons(tx, season, season.season + 1, 1, clock());
      if (found?.season !== season.season) throw notFound('Season not found');
      if (found.ended_at === null) throw conflict('The season has not ended yet');
      await requireKnown(tx, game_id, placeGifts(season_rewards));
      if (!(await insertRun(tx, season, season_rewards))) {
        throw conflict('The season is rewarded already');
      }
      await insertAuditEntry(tx, { actor, game_id }, 'reward_season', board_name, {
        environment,
        season: season.season,
        season_rewards,
      });
      return getRun(tx as Database, season);
    });
    return new Reply(201, run);
  });
}
