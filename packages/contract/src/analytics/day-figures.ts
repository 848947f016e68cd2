import { t } from '../schema.ts';

export const DayFigures = t.Resource('DayFigures', {
  day: t.Day('The day.'),
  active_players: t.Integer('Players who sent an event.'),
  new_players: t.Integer('Players whose first active day it is.'),
  session_count: t.Integer('Sessions that began.'),
  event_count: t.Integer('Events that happened.'),
});

export const exampleDay = {
  day: '2026-03-08',
  active_players: 5120,
  new_players: 610,
  session_count: 9300,
  event_count: 84_200,
};
