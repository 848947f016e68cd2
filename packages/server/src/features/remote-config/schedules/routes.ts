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
import type { ListHeld } from '../held-parameters.ts';
import { readNewSchedule, readScheduleUpdate } from './body.ts';
import { createConfigSchedules, getSchedule } from './schedules.ts';
import { listOpenSchedules, listPastSchedules } from './store.ts';
import type { StoredSchedule } from './store.ts';

export function mountConfigSchedules(api: Api, changes: ConfigChanges, listHeld: ListHeld): void {
  const { database } = api;
  const schedules = createConfigSchedules(changes, listHeld);

  implement(api, listConfigSchedules, async ({ params, query }) => {
    const key = { ...params, ...query };
    const game = database.ofGame(key.game_id);
    const [open, past] = await Promise.all([
      listOpenSchedules(game, key),
      listPastSchedules(game, key),
    ]);
    return { open, past };
  });

  implement(
    api,
    createConfigSchedule,
    async ({ params, query, body, actor }) =>
      show(await schedules.create({ ...params, ...query }, body, actor)),
    readNewSchedule,
  );

  implement(api, getConfigSchedule, async ({ params, query }) => {
    const { game_id, schedule_id } = params;
    const key = { game_id, ...query };
    return show(await getSchedule(database.ofGame(game_id), key, schedule_id));
  });

  implement(
    api,
    updateConfigSchedule,
    async ({ params, query, body, actor }) => {
      const { game_id, schedule_id } = params;
      return show(await schedules.update({ game_id, ...query }, schedule_id, body, actor));
    },
    readScheduleUpdate,
  );

  implement(api, cancelConfigSchedule, async ({ params, query, actor }) => {
    const { game_id, schedule_id } = params;
    return show(await schedules.cancel({ game_id, ...query }, schedule_id, actor));
  });
}

function show({ parameters, previous: _before, author_id: _id, ...schedule }: StoredSchedule) {
  return new JsonText(writeJson({ ...schedule, parameters: new JsonText(parameters) }));
}
