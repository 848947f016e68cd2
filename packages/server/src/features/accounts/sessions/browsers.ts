import type { AuditAction } from '@overworld/contract/games/audit-actions';
import bowser from 'bowser';
import { insertAuditEntry } from '../../../platform/audit.ts';
import type { Actor } from '../../../platform/audit.ts';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { notFound } from '../../../platform/errors.ts';
import { isUuid } from '../../../platform/http/validation.ts';

/** The stored facts about the browser of a session or a device. */
interface StoredBrowser {
  user_agent: string | null;
  address: string | null;
}

/** Replaces the user agent in a row with the name of the browser, which users can read more easily. */
export const showBrowser = <Row extends { user_agent: string | null }>({
  user_agent,
  ...row
}: Row) => ({ ...row, browser: nameBrowser(user_agent) });

/**
 * Deletes a session or a device of the actor's account, and writes an audit entry.
 * @param change Its `remove` deletes the row, and returns null when the account has no row with this id.
 * @throws ApiError 404 with the error `missing` when there is no such row.
 */
export async function removeBrowser(
  database: Database,
  actor: Actor,
  id: string,
  change: {
    action: AuditAction;
    missing: string;
    remove: (tx: Queryable) => Promise<StoredBrowser | null>;
  },
): Promise<void> {
  const { action, missing, remove } = change;
  await database.transaction(async (tx) => {
    const removed = isUuid(id) ? await remove(tx) : null;
    if (removed === null) throw notFound(missing);
    const details = { browser: nameBrowser(removed.user_agent), address: removed.address };
    await insertAuditEntry(tx, { actor, game_id: null }, action, id, details);
  });
}

/**
 * Names a browser, such as `Firefox on Linux`. For any other
 * program, returns the first word of its user agent, such as `curl`.
 */
export function nameBrowser(user_agent: string | null): string {
  if (!user_agent) return 'Unknown browser';
  const { browser, os } = bowser.parse(user_agent);
  const name = browser.name || /^[\w.-]{1,40}/.exec(user_agent)?.[0] || 'Unknown browser';
  return os.name ? `${name} on ${os.name}` : name;
}
