import {
  getLeaderboardAround,
  listLeaderboardPlayers,
} from '@overworld/contract/leaderboards/neighbours';
import {
  getLeaderboard,
  MAX_METADATA_BYTES,
  submitScore,
} from '@overworld/contract/leaderboards/leaderboards';
import type { BodyOf } from '@overworld/contract/operation';
import { roundInterval } from '../../platform/database/each-group.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Api } from '../../platform/http/api.ts';
import { implement, JsonText, Reply } from '../../platform/http/implement.ts';
import { compileBody } from '../../platform/http/validation.ts';
import { textOf } from '../../platform/json/json-scan.ts';
import { readJsonBody } from '../../platform/json/parse-json.ts';
import { writerOf } from '../../platform/players/own-player.ts';
import type { PlayerCall } from '../../platform/players/player-call.ts';
import { mountDashboardRoutes } from './dashboard-routes.ts';
import { scoreStory } from './entries/story.ts';
import { createLeaderboards } from './leaderboards.ts';
import { mountQuarantine } from './quarantine/routes.ts';
import type { SendRewards } from './rewards/give-rewards.ts';
import type { RequireKnown } from './rewards/known-gifts.ts';
import { listRewardUses } from './rewards/reward-uses.ts';
import { mountSeasonRewards } from './rewards/routes.ts';
import { writeEntryMembers } from './store.ts';
import type { BoardKey } from './store.ts';
import type { Sender, Submitted } from './submits/decide-submits.ts';
import { readOnce } from './submits/submit-keys.ts';

/** The most rows that a submit can add. */
const ONE_ENTRY = { players: 1, leaderboard_entries: 1 };

const senderOf = (call: PlayerCall & { readonly ip: string }): Sender => ({
  ...writerOf(call),
  key_id: call.caller.key_id,
  ip: call.ip,
});

const boardOf = ({ caller }: PlayerCall, { board_name }: { board_name: string }): BoardKey => {
  const { game_id, environment } = caller;
  return { game_id, environment, board_name };
};

/** @returns the player data of boards, for other features. */
export function mountLeaderboards(
  api: Api,
  { sendRewards, requireKnown }: { sendRewards: SendRewards; requireKnown: RequireKnown },
) {
  const { opened, background, lastSeen, storage } = api;
  const max_copy_bytes = (api.config.leaderboard_memory_mb * 1024 * 1024) / api.workerPool.workers;
  const leaderboards = opened.add(createLeaderboards({ ...api, max_copy_bytes }));
  background.everyHere(10_000, 'trimming the log of boards', () => leaderboards.trimChanges());
  background.every(roundInterval(10_000, api.database), 'announcing ends of seasons', () =>
    leaderboards.announceSeasonEnds(),
  );
  background.onOneServer(10_000, 'giving rewards of seasons', () =>
    leaderboards.giveRewards(sendRewards),
  );
  background.onOneServer(600_000, 'trimming ledgers of boards', () => leaderboards.deleteOld());

  implement(api, submitScore, async (call) => {
    const { game_id, environment } = call.caller;
    const { board_name, player_id: named, ...sent } = readSubmit(call.body);
    const key = call.headers['idempotency-key'];
    const once = key === undefined ? null : readOnce(String(key), call.body);
    const board = { game_id, environment, board_name };
    const player = await api.guard.ownPlayer(call, named);
    const submitted = await storage.run(player, ONE_ENTRY, (reached) =>
      leaderboards.scores.submit({
        board,
        player_id: player.player_id,
        ...sent,
        once,
        sender: senderOf(call),
        limit_reached: reached.leaderboard_entries ?? null,
      }),
    );
    lastSeen.note(player);
    return new Reply<never>(
      submitted.is_new ? 201 : 200,
      new JsonText(writeSubmitted(board_name, submitted)),
    );
  });

  implement(api, getLeaderboard, async (call) => {
    const { season = null, player_id = null, limit, offset } = call.query;
    const board = boardOf(call, call.params);
    const is_own = player_id !== null && (await api.guard.isOwnPlayer(call, player_id));
    return new JsonText(
      await leaderboards.pages.read({ board, season, player_id, limit, offset, is_own }),
    );
  });

  implement(api, getLeaderboardAround, async (call) => {
    const { player_id } = call.params;
    const { season = null, above, below } = call.query;
    const board = boardOf(call, call.params);
    const is_own = await api.guard.isOwnPlayer(call, player_id);
    const around = { around_player_id: player_id, above, below, is_own };
    return new JsonText(await leaderboards.pages.read({ board, season, ...around }));
  });

  implement(api, listLeaderboardPlayers, async (call) => {
    const { season = null } = call.body;
    const player_ids = [...new Set(call.body.player_ids)];
    const board = boardOf(call, call.params);
    return new JsonText(await leaderboards.pages.read({ board, season, player_ids }));
  });

  api.uses.add(listRewardUses);
  mountDashboardRoutes(api, leaderboards, requireKnown);
  mountQuarantine(api, leaderboards);
  mountSeasonRewards(api, leaderboards, requireKnown);
  return { sources: leaderboards.sources, story: scoreStory };
}

const validateSubmit = compileBody(submitScore.body);

/**
 * Reads the body of a request that submits a score. `metadata` is cut out of the body as text, and never
 * serialised again.
 * @throws ApiError 400 that names the invalid field, or 413 with the size of `metadata` if it is too large.
 */
function readSubmit(bytes: Buffer) {
  const { value: body, scan } = readJsonBody(bytes, 'metadata');
  validateSubmit(body);
  const { board_name, player_id, score, tie_value, player_name, metadata } = body as BodyOf<
    typeof submitScore
  >;
  return {
    board_name,
    player_id,
    // Turns -0 into 0, as JSON.stringify does.
    score: score + 0,
    tie_value: tie_value === undefined ? null : tie_value + 0,
    player_name: player_name ?? null,
    metadata: metadata === undefined ? null : readMetadata(bytes, scan.member_place),
  };
}

function readMetadata(bytes: Buffer, [start, end]: readonly number[]): string {
  const size_bytes = end! - start!;
  if (size_bytes <= MAX_METADATA_BYTES) return textOf(bytes, start!, end!);
  throw new ApiError(413, `metadata exceeds ${MAX_METADATA_BYTES / 1024}KB limit`, {
    size_bytes,
    limit_bytes: MAX_METADATA_BYTES,
  });
}

/** Writes the answer to a submit as JSON. */
function writeSubmitted(board_name: string, submitted: Submitted): string {
  const { entry, rank, updated, total_entries, keeps } = submitted;
  const kept = keeps === 'best' ? '' : `,"keeps":"${keeps}"`;
  return `{"board_name":${JSON.stringify(board_name)},"rank":${rank},${writeEntryMembers(entry)},"updated":${updated},"total_entries":${total_entries}${kept}}`;
}
