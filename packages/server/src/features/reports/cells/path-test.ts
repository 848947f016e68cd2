import { SESSION_PATH_HOURS } from '@overworld/contract/analytics/limits';
import { createPlayerNumbers } from '../scan/player-numbers.ts';
import { expectPathEvents, hashName, readPathEvents } from '../paths/path-events.ts';
import { NO_NAME, walkPaths } from '../paths/path-walks.ts';
import type { CellTest } from './player-test.ts';

/**
 * Makes a function that tells whether a player has a path with the requested event at the requested
 * step, or a path that ends at this step. The rules are those of the paths report.
 */
export const testPath: CellTest = async (database, input, signal) => {
  const { asked, filter, starts_at, ends_at, game_id, environment } = input;
  const { event_name = '', direction = 'next', window_hours = null, hide = [], step = 1 } = asked;
  const { repeats = 'join', place, names = [] } = asked;
  const selection = { game_id, environment, starts_at, ends_at };
  const hours = window_hours ?? SESSION_PATH_HOURS;
  const question = { events: { event_name, ...filter }, direction, window_hours, hide, hours };
  await expectPathEvents(database, selection, question, signal);
  const players = createPlayerNumbers();
  const groups = { property: null, numberOf: players.numberOf };
  const read = await readPathEvents(database, selection, question, { groups }, signal);
  const numberOfName = (name: string) => read.name_hashes.indexOf(hashName(name));

  const joins_repeats = repeats === 'join';
  const own_name = joins_repeats ? numberOfName(event_name) : NO_NAME;
  const is_next = direction === 'next';
  const walks = walkPaths(read, { steps: step, own_name, joins_repeats, is_next });
  const named = new Set(names.map(numberOfName));

  const is_there = new Uint8Array(players.count);
  for (let unit = 0; unit < read.unit_count; unit++) {
    const at = unit * step + step - 1;
    const name = walks[at]!;
    const has_ended = name === NO_NAME;
    const ended_before = has_ended && step > 1 && walks[at - 1] === NO_NAME;
    if (ended_before || has_ended !== (place === 'end')) continue;
    if (has_ended || named.has(name) === (place === 'event')) is_there[read.unit_values[unit]!] = 1;
  }
  return (high, low) => {
    const player = players.find(high, low);
    return player !== -1 && is_there[player] === 1;
  };
};
