import { newBoardsRefused, shareOfNewBoards } from '@overworld/contract/limits';
import type { GroupedDatabase } from '../../../platform/database/game-groups.ts';
import { usedUp } from '../../../platform/errors.ts';
import { countAttempts } from '../../../platform/limits/attempt-limit.ts';
import { findLimit } from '../../../platform/limits/limits.ts';
import { networkOf } from '../../../platform/network/network-address.ts';

const WINDOW_MINUTES = 60;

/**
 * Counts a board that a stranger's score is about to make, for the stranger's network. All servers count
 * together.
 * @throws ApiError 429 when the network has made as many boards in this hour as it may.
 */
export async function countNewBoard(
  database: GroupedDatabase,
  game_id: string,
  stranger_ip: string,
): Promise<void> {
  const address = `${game_id} ${networkOf(stranger_ip)}`;
  const counts = [{ address, amount: 1 }];
  const [count] = await countAttempts(database, 'new_board', WINDOW_MINUTES, counts);
  const { attempts, seconds_left } = count!;
  const limit = await findLimit(database, game_id, 'leaderboards');
  const share = shareOfNewBoards(limit ?? 0);
  if (attempts <= share) return;
  throw usedUp(newBoardsRefused(share, seconds_left), share, seconds_left);
}
