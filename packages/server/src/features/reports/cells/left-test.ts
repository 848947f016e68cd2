import { findLastEvents, findLeft } from '../progression/last-events.ts';
import { KINDS, readProgression } from '../progression/progression-events.ts';
import type { CellTest } from './player-test.ts';

/** Makes the function that tells whether a player left at a step, by the rules of the progression report. */
export const testLeft: CellTest = async (database, input, signal) => {
  const { asked, filter, starts_at, ends_at, game_id, environment, today } = input;
  const { start_event = '', fail_event, complete_event, property = '', value, outcome } = asked;
  const eventsOf = (event_name: string | undefined) =>
    event_name === undefined ? null : { event_name, ...filter };
  const read = await readProgression(
    database,
    { game_id, environment, starts_at, ends_at },
    {
      events: {
        start: { event_name: start_event, ...filter },
        fail: eventsOf(fail_event),
        complete: eventsOf(complete_event),
      },
      property,
    },
    { groups: null },
    signal,
  );
  const step = (await read.readSteps()).find(({ text }) => text === value)?.step;
  const last = findLastEvents(read);
  const about = { game_id, environment, to: asked.to, today };
  const has_left = await findLeft(database, about, read, signal);
  return (high, low) => {
    const player = read.findPlayer(high, low);
    if (player === -1 || has_left[player] === 0) return false;
    const event = last[player]!;
    if (event === -1 || read.steps[event] !== step) return false;
    return outcome === 'left' || KINDS[read.kinds[event]!] !== 'complete';
  };
};
