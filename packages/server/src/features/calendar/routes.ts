import { getCalendar } from '@overworld/contract/games/calendar';
import type { Api } from '../../platform/http/api.ts';
import { implement } from '../../platform/http/implement.ts';
import { readCalendar, readCalendarRange } from './calendar.ts';

export function mountCalendar(api: Api): void {
  implement(api, getCalendar, async ({ params, query, actor, role, read }) => {
    const { game_id } = params;
    const range = await readCalendarRange(api.database, game_id, query);
    const { from, to, today, time_zone } = range;
    const tenant = { game_id, environment: query.environment };
    const question = { tenant, range, viewer: { actor, role } };
    const found = await read((of_game) => readCalendar(of_game, api.calendar, question));
    return { from, to, today, time_zone, ...found };
  });
}
