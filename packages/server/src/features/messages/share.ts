import { messagesRefused, shareOfMessages } from '@overworld/contract/limits';
import type { Database } from '../../platform/database/database.ts';
import { usedUp } from '../../platform/errors.ts';
import { countAttempts } from '../../platform/limits/attempt-limit.ts';
import { findLimit } from '../../platform/limits/limits.ts';

const WINDOW_MINUTES = 60;

/**
 * Counts a message of a sender.
 * @param installation The database with the counts, which all servers share.
 * @param sender The id of a key or an account.
 * @throws ApiError 429 when the sender has used up the share of this game.
 */
export async function requireShare(
  installation: Database,
  database: Database,
  game_id: string,
  sender: string,
): Promise<void> {
  const share = shareOfMessages((await findLimit(database, game_id, 'messages')) ?? 0);
  const address = `${game_id} ${sender}`;
  const counts = [{ address, amount: 1 }];
  const [window] = await countAttempts(installation, 'message', WINDOW_MINUTES, counts);
  const { attempts, seconds_left } = window!;
  if (attempts > share) throw usedUp(messagesRefused(share, seconds_left), share, seconds_left);
}
