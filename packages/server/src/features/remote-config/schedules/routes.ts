import {
  cancelConfigSchedule,
  createConfigSchedule,
  getConfigSchedule,
  listConfigSchedules,
  updateConfigSchedule,
} from '@overworld/contract/remote-config/schedules';
import type { Api } from '../../../platform/http/api.ts';
import { implement, JsonText } from '../../../platform/http/implement.ts';
import { writeJson } from '../../../platform/http/write-json.ts';
import type { ConfigChanges } from '../changes.ts';
import type { ListRunningParameters } from '../experiment-parameters.ts';
import { readNewSchedule, readScheduleUpdate } from './body.ts';
import { listScheduleEntries } from './calendar.ts';
import { createConfigSchedules, getSchedule } from './schedules.ts';
import { listOpenSchedules, listPastSchedules } from './store.ts';
import type { StoredSchedule } from './store.ts';

export function mountConfigSchedules(
  api: Api,
  changes: ConfigChanges,
  listRunningParameters: ListRunningParameters,
): void {
  api.calendar.add('config_schedule', listScheduleEntries);
  const schedules = createConfigSchedules(changes, listRunningParameters);

  implement(api, listConfigSchedules, async ({ params, query, database }) => {
    const key = { ...params, ...query };
    const [open, past] = await Promise.all([
      listOpenSchedules(database, key),
      listPastSchedules(database, key),
    ]);
    return { open, past };
  });

  implement(
    api,
    createConfigSchedule,
    async ({ params, query, body, actor, database }) =>
      show(await schedules.create(database, { ...params, ...query }, body, actor)),
    readNewSchedule,
  );

  implement(api, getConfigSchedule, async ({ params, query, database }) => {
    const { game_id, schedule_id } = params;
    const key = { game_id, ...query };
    return show(await getSchedule(database, key, schedule_id));
  });

  implement(
    api,
    updateConfigSchedule,
    async ({ params, query, body, actor, database }) => {
      const { game_id, schedule_id } = params;
      return show(
        await schedules.update(database, { game_id, ...query }, schedule_id, body, actor),
      );
    },
    readScheduleUpdate,
  );

  implement(api, cancelConfigSchedule, async ({ params, query, actor, database }) => {
    const { game_id, schedule_id } = params;
    return show(await schedules.cancel(database, { game_id, ...query }, schedule_id, actor));
  });
}

function show({ parameters, previous: _before, author_id: _id, ...schedule }: StoredSchedule) {
  return new JsonText(writeJson({ ...schedule, parameters: new JsonText(parameters) }));
}
