import { followPaths } from './naive-paths.ts';
import type { Happened } from './naive-paths.ts';

/** Reports of a month of events in plain code, without a database. No two events are at the same time. */

/** An event of a test, with its properties. */
export interface Counted extends Happened {
  /** JSON texts by name. */
  properties: Readonly<Record<string, string>>;
}

interface Question {
  events: readonly Counted[];
  time_zone: string;
  from: string;
  to: string;
}

const playersOf = (events: readonly Counted[]) =>
  new Set(events.flatMap(({ player_id }) => player_id ?? []));
/** The name of the group of a value: `3` and `"3"` are one, and null is like a property that is not there. */
const groupOf = (json = 'null') => (json === 'null' ? null : String(JSON.parse(json)));
const numberOf = (json: string | undefined) => (json === undefined ? Number.NaN : Number(json));

/** Counts the days' events in each of the ways in which a report does, under the names of the reports. */
export function countPlainly(
  { events, time_zone, from, to }: Question,
  germans: ReadonlySet<string>,
) {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: time_zone });
  const dayOf = ({ at_ms }: Counted) => format.format(at_ms);
  const inside = events.filter((event) => dayOf(event) >= from && dayOf(event) <= to);
  const named = (name: string) => inside.filter(({ event_name }) => event_name === name);

  const by_level = Map.groupBy(named('open'), ({ properties }) => groupOf(properties.level));
  const groups = [...by_level].map(([value, of_value]) => ({
    value,
    events: of_value.length,
    players: playersOf(of_value).size,
  }));

  const by_day = new Map<string, number>();
  for (const event of inside) {
    if (event.player_id === null || !germans.has(event.player_id)) continue;
    by_day.set(dayOf(event), (by_day.get(dayOf(event)) ?? 0) + 1);
  }

  const bought = named('buy').filter(({ properties }) => numberOf(properties.price) > 1);
  const buyers = [...playersOf(bought)].filter(
    (player) => bought.filter(({ player_id }) => player_id === player).length >= 2,
  );

  return {
    breakdown: groups.toSorted((a, b) => compare(a.value ?? '', b.value ?? '')),
    events: [...by_day].toSorted(([a], [b]) => compare(a, b)),
    segment: buyers.toSorted(),
    funnel: countFunnel(inside, ['open', 'buy', 'end'], 4_000 * 60_000),
    path: (['sessions', 'players'] as const).map((unit) => {
      const starts = inside.map(({ at_ms }) => at_ms);
      return followPaths(events, {
        event_name: 'open',
        direction: 'next',
        window_hours: unit === 'sessions' ? null : 30,
        steps: 3,
        limit: 2,
        hide: [],
        repeats: 'join',
        starts_ms: Math.min(...starts),
        ends_ms: Math.max(...starts) + 1,
      });
    }),
  };
}

/** Counts the players who took each step, by trying every start and, after it, every event. */
function countFunnel(events: readonly Counted[], steps: readonly string[], window_ms: number) {
  const reached = steps.map(() => 0);
  for (const player of playersOf(events)) {
    const own = events
      .filter(({ player_id }) => player_id === player)
      .toSorted((a, b) => a.at_ms - b.at_ms);
    let best = 0;
    for (const [start, first] of own.entries()) {
      let depth = 0;
      for (const { event_name, at_ms } of own.slice(start)) {
        if (at_ms - first.at_ms <= window_ms && event_name === steps[depth]) depth++;
        if (depth === 0) break;
      }
      best = Math.max(best, depth);
    }
    for (let step = 0; step < best; step++) reached[step]!++;
  }
  return reached;
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));
