import { randomUUID } from 'node:crypto';
import { insertAuditEntry } from '../../../platform/audit.ts';
import type { Database } from '../../../platform/database/database.ts';
import { forEachGroup } from '../../../platform/database/each-group.ts';
import type { GroupedDatabase } from '../../../platform/database/game-groups.ts';
import { ApiError } from '../../../platform/errors.ts';
import { tryLockGame } from '../../../platform/game-lock.ts';
import { prepareMessage, storeMessage } from '../send.ts';
import type { SendServices } from '../send.ts';
import { nameOfTenant } from '../../../platform/players/player-key.ts';
import { readStoredContent } from './schedule-body.ts';
import { findSchedule, finishDay, listDue, lockDue } from './schedule-store.ts';
import type { DueSchedule, ScheduleKey } from './schedule-store.ts';

const MISSED = 'No server ran until the message had ended';

/** Sends the messages of schedules that are due. */
export async function sendScheduled(
  database: GroupedDatabase,
  services: SendServices,
): Promise<void> {
  await forEachGroup(database.groups, async (group) => {
    await forEachGroup(await listDue(group), (key) => sendOne(group, services, key));
  });
}

/**
 * Sends the message of a schedule once: the transaction that stores it also sets the next day, and holds the lock
 * of the game. A message that is refused is left out.
 */
async function sendOne(group: Database, services: SendServices, key: ScheduleKey): Promise<void> {
  const { game_id, environment } = key;
  const tenant = { game_id, environment };
  const before = await findSchedule(group, key);
  if (before === null) return;
  const content = readStoredContent(before.content);
  const sender = { actor: authorOf(before), key_id: null };
  const prepared = await prepareMessage(services, tenant, content, sender).catch(refusalOf);
  const messageOf = (made: Exclude<typeof prepared, ApiError>, due: DueSchedule) => ({
    ...made,
    message_id: randomUUID(),
    starts_at: due.starts_at,
    ends_at: due.ends_at,
    sent_at: services.clock().toISOString(),
  });
  await group.transaction(async (tx) => {
    if (!(await tryLockGame(tx, game_id))) return;
    const due = await lockDue(tx, key);
    // A schedule that was changed meanwhile is sent in the next round.
    if (due === null || due.content !== before.content) return;
    const problem = due.has_ended
      ? MISSED
      : prepared instanceof ApiError
        ? prepared.message
        : await storeMessage(tx, services, tenant, messageOf(prepared, due), content, sender, {
            schedule_id: key.schedule_id,
          }).then(
            () => null,
            (error: unknown) => refusalOf(error).message,
          );
    await finishDay(tx, key, { day: due.day, problem });
    if (problem === null) return;
    const by = { actor: sender.actor, game_id };
    const details = { environment, title: content.title, problem };
    await insertAuditEntry(tx, by, 'fail_message_schedule', key.schedule_id, details);
  });
  services.shared.evict(nameOfTenant(tenant));
}

/** @throws all but refusals. */
function refusalOf(error: unknown): ApiError {
  if (error instanceof ApiError && error.status < 500) return error;
  throw error;
}

const authorOf = ({ author_id, author }: Pick<DueSchedule, 'author_id' | 'author'>) => ({
  account: author_id === null ? null : { account_id: author_id, email: author! },
  ip: null,
});
