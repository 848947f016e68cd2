import { randomUUID } from 'node:crypto';
import { MAX_MESSAGE_SCHEDULES } from '@overworld/contract/messages/message-limits';
import * as contract from '@overworld/contract/messages/schedules';
import { WEEKDAYS } from '@overworld/contract/messages/weekdays';
import type { Queryable } from '../../../platform/database/database.ts';
import { roundInterval } from '../../../platform/database/each-group.ts';
import { conflict } from '../../../platform/errors.ts';
import { changeGame } from '../../../platform/game-change.ts';
import type { Api } from '../../../platform/http/api.ts';
import { implement, JsonText } from '../../../platform/http/implement.ts';
import { writeJson } from '../../../platform/http/write-json.ts';
import { notFoundIn } from '../../../platform/other-environment.ts';
import { writeExactly } from '../../../platform/json/exact-json.ts';
import { prepareMessage, requireSendable } from '../send.ts';
import type { Sender, SendServices } from '../send.ts';
import { listComingMessages } from './calendar.ts';
import {
  joinContent,
  readNewSchedule,
  readScheduleChanges,
  readStoredContent,
} from './schedule-body.ts';
import {
  countSchedules,
  deleteSchedule,
  findNextDay,
  findSchedule,
  insertSchedule,
  listSchedules,
  updateSchedule,
} from './schedule-store.ts';
import type { ScheduleKey, StoredSchedule, Timing } from './schedule-store.ts';
import { sendScheduled } from './scheduler.ts';

/** The messages of schedules are sent at most this long after their times. */
const LOOK_INTERVAL_MS = 5_000;
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];

/** Mounts the schedules that send messages, and begins to send them. */
export function mountMessageSchedules(api: Api, services: SendServices): void {
  const { background, database } = api;
  api.calendar.add('message_schedule', listComingMessages);
  background.every(roundInterval(LOOK_INTERVAL_MS, database), 'sending scheduled messages', () =>
    sendScheduled(database, services),
  );

  /** @throws ApiError when a message of this content could not be sent now, because it names what does not exist. */
  const requireContent = async (tx: Queryable, game_id: string, text: string, sender: Sender) => {
    const content = readStoredContent(text);
    await prepareMessage(services, { game_id, environment: 'production' }, content, sender);
    await requireSendable(tx, services.givers, game_id, content);
  };

  implement(api, contract.listMessageSchedules, async ({ params, query, database: of_game }) => {
    const schedules = await listSchedules(of_game, { ...params, ...query });
    return new JsonText(writeJson({ schedules: schedules.map(toAnswer), next_cursor: null }));
  });

  implement(
    api,
    contract.createMessageSchedule,
    async ({ params, query, body, actor, database: of_game }) => {
      const key = { ...params, ...query, schedule_id: randomUUID() };
      const content = joinContent('{}', body);
      const { hour, lasts_hours, weekdays = EVERY_DAY, paused = false } = body.timing;
      const timing = { hour: hour!, lasts_hours: lasts_hours!, weekdays, paused };
      return changeGame(of_game, { ...params, actor }, async (tx, record) => {
        await requireContent(tx, params.game_id, content, { actor, key_id: null });
        if ((await countSchedules(tx, key)) >= MAX_MESSAGE_SCHEDULES) {
          throw conflict(
            `An environment may have at most ${MAX_MESSAGE_SCHEDULES} schedules of messages`,
          );
        }
        const { account } = actor;
        await insertSchedule(tx, {
          ...key,
          ...timing,
          content,
          next_day: await findNextDay(tx, params.game_id, timing),
          author_id: account?.account_id ?? null,
          author: account?.email ?? null,
        });
        await record('create_message_schedule', key.schedule_id, { ...query, ...timing });
        return show(await getSchedule(tx, key));
      });
    },
    readNewSchedule,
  );

  implement(
    api,
    contract.updateMessageSchedule,
    async ({ params, query, body, actor, database: of_game }) => {
      const { game_id, message_schedule_id: schedule_id } = params;
      const key = { game_id, ...query, schedule_id };
      return changeGame(of_game, { game_id, actor }, async (tx, record) => {
        const before = await getSchedule(tx, key);
        const content = joinContent(before.content, body);
        const timing = { ...timingOf(before), ...body.timing };
        if (content !== before.content) {
          await requireContent(tx, game_id, content, { actor, key_id: null });
        }
        // A schedule that goes on sends nothing for days that have passed.
        const is_new_time = Object.keys(body.timing).some((name) => name !== 'lasts_hours');
        const next_day = is_new_time ? await findNextDay(tx, game_id, timing) : null;
        await updateSchedule(tx, key, { ...timing, content }, next_day);
        await record('update_message_schedule', schedule_id, { ...query, ...body.timing });
        return show(await getSchedule(tx, key));
      });
    },
    readScheduleChanges,
  );

  implement(
    api,
    contract.deleteMessageSchedule,
    async ({ params, query, actor, database: of_game }) => {
      const { game_id, message_schedule_id: schedule_id } = params;
      const key = { game_id, ...query, schedule_id };
      await changeGame(of_game, { game_id, actor }, async (tx, record) => {
        const before = await getSchedule(tx, key);
        await deleteSchedule(tx, key);
        const { title } = readStoredContent(before.content);
        await record('delete_message_schedule', schedule_id, { ...query, title });
      });
    },
  );
}

async function getSchedule(tx: Queryable, key: ScheduleKey): Promise<StoredSchedule> {
  const found = await findSchedule(tx, key);
  if (found !== null) return found;
  throw await notFoundIn(key, 'Message schedule', (tenant) =>
    findSchedule(tx, { ...key, ...tenant }),
  );
}

const timingOf = ({ hour, weekdays, lasts_hours, paused }: StoredSchedule): Timing => ({
  hour,
  weekdays,
  lasts_hours,
  paused,
});

const show = (schedule: StoredSchedule) => new JsonText(writeJson(toAnswer(schedule)));

/** Makes the form in which members see a schedule. */
function toAnswer({ content: stored, ...schedule }: StoredSchedule) {
  const content = readStoredContent(stored);
  return {
    id: schedule.schedule_id,
    to: new JsonText(writeExactly({ ...content.to, joiners: content.to.joiners ?? 'included' })),
    title: content.title,
    text: content.text,
    translations: new JsonText(content.translations),
    data: new JsonText(content.data),
    rewards: new JsonText(content.rewards),
    reason: content.reason,
    hour: schedule.hour,
    weekdays: schedule.weekdays.map((day) => WEEKDAYS[day - 1]!),
    lasts_hours: schedule.lasts_hours,
    paused: schedule.paused,
    next_at: schedule.next_at,
    last_sent_at: schedule.last_sent_at,
    problem: schedule.problem,
    created_by: schedule.author,
    updated_at: schedule.updated_at,
  };
}
