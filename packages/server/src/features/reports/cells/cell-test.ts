import { readFunnelDepths } from '../funnel/funnel-attempts.ts';
import { scanEvents } from '../scan/event-scan.ts';
import type { EventSelection } from '../scan/event-selection.ts';
import type { Cell } from '../players/player-choice.ts';
import { createPlayerNumbers } from '../scan/player-numbers.ts';
import { eachActivity, isActiveWithin } from '../players/activity.ts';
import type { ActiveDays } from '../players/activity.ts';
import { readSessions } from '../sessions/read-sessions.ts';
import { dayNumber } from '../days.ts';
import { testLeft } from './left-test.ts';
import { testPath } from './path-test.ts';
import { testPayers } from './payers-test.ts';
import type { CellTest, PlayerTest } from './player-test.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';

/**
 * Makes the function that tells whether a player is one of those that a cell, a number in a report, counts.
 */
export function createCellTest(
  database: ExploreDatabase,
  { game_id, environment }: EventSelection,
  cell: Cell,
  signal: AbortSignal,
): Promise<PlayerTest> {
  return TESTS[cell.asked.report](database, { ...cell, game_id, environment }, signal);
}

/** Makes a set of players, with a function that tells whether a player is in the set. */
function createHashSet() {
  const numbers = createPlayerNumbers();
  return {
    add: numbers.numberOf,
    has: ((high, low) => numbers.find(high, low) !== -1) as PlayerTest,
  };
}

/** Makes the test for players whose active days meet a condition. */
const byActivity =
  (makeTest: (cell: Cell) => (days: ActiveDays) => boolean): CellTest =>
  async (database, input, signal) => {
    const players = createHashSet();
    const isCounted = makeTest(input);
    await eachActivity(database, input, signal, (high, low, days) => {
      if (isCounted(days)) players.add(high, low);
    });
    return players.has;
  };

const isNewWithin = ({ asked }: Cell) => {
  const [first, last] = [dayNumber(asked.from), dayNumber(asked.to)];
  return ({ first_day }: ActiveDays) => first_day >= first && first_day <= last;
};

const TESTS: Record<Cell['asked']['report'], CellTest> = {
  'active-players': byActivity((cell) =>
    cell.asked.players === 'new' ? isNewWithin(cell) : isActiveWithin(cell.asked),
  ),

  retention: byActivity((cell) => {
    const isNew = isNewWithin(cell);
    const { day = 0, returned } = cell.asked;
    return (days) => isNew(days) && (day < days.length && days.isActive(day)) === returned;
  }),

  async sessions(database, input, signal) {
    const { length_class } = input.asked;
    const players = createHashSet();
    await readSessions(database, input, signal, (session) => {
      if (length_class === undefined || session.length_class === length_class) {
        players.add(session.high, session.low);
      }
    });
    return players.has;
  },

  async funnel(database, input, signal) {
    const { window_minutes = 1, step = 1, outcome } = input.asked;
    const depthOf = await readFunnelDepths(
      database,
      { ...input, window_minutes, breakdown: null },
      signal,
    );
    return (high, low) => {
      const depth = depthOf(high, low);
      return outcome === 'stopped' ? depth === step : depth >= step;
    };
  },

  async events(database, input, signal) {
    const { event_name = '', property, value } = input.asked;
    const players = createHashSet();
    const is_group = property !== undefined && value !== undefined;
    const scan = {
      names: [event_name],
      choices: [input.filter],
      ...(is_group && { in_group: { property, value } }),
      columns: { players: players.add },
      onEvents: () => undefined,
    };
    await scanEvents(database, input, [scan], signal);
    return players.has;
  },

  revenue: testPayers,
  path: testPath,
  progression: testLeft,
};
