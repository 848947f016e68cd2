/** An event of a test; events at the same time come in the order of the list. */
export interface Happened {
  player_id: string | null;
  session_id: string;
  event_name: string;
  at_ms: number;
}

export interface NaivePaths {
  event_name: string;
  direction: 'next' | 'previous';
  window_hours: number | null;
  steps: number;
  limit: number;
  hide: string[];
  repeats: 'join' | 'keep';
  starts_ms: number;
  ends_ms: number;
}

const HOUR_MS = 3_600_000;

/** Computes the paths of a report in plain code, one session after the other. */
export function followPaths(events: readonly Happened[], question: NaivePaths) {
  const { event_name, direction, window_hours, steps, limit, hide, repeats } = question;
  const ordered = events.toSorted((a, b) => a.at_ms - b.at_ms);
  const units = new Map<string, Happened[]>();
  for (const event of ordered) {
    if (window_hours !== null && event.player_id === null) continue;
    const unit = JSON.stringify([
      event.player_id,
      ...(window_hours === null ? [event.session_id] : []),
    ]);
    units.set(unit, [...(units.get(unit) ?? []), event]);
  }
  const walks: string[][] = [];
  for (const own of units.values()) {
    const first = own.findIndex(
      (event) =>
        event.event_name === event_name &&
        event.at_ms >= question.starts_ms &&
        event.at_ms < question.ends_ms,
    );
    if (first === -1) continue;
    const reach_ms = (window_hours ?? 24) * HOUR_MS;
    const others = direction === 'next' ? own.slice(first + 1) : own.slice(0, first).toReversed();
    const walk: string[] = [];
    let last = event_name;
    for (const event of others) {
      if (Math.abs(event.at_ms - own[first]!.at_ms) > reach_ms) break;
      if (hide.includes(event.event_name) || walk.length === steps) continue;
      if (repeats === 'join' && event.event_name === last) continue;
      walk.push(event.event_name);
      last = event.event_name;
    }
    walks.push(walk);
  }
  const count = walks.length;
  const by = <Key extends string>(keys: Key[]) => {
    const counts = new Map<Key, number>();
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    return counts;
  };
  const placeAt = (walk: string[], step: number, listed: readonly string[]) => {
    const name = walk[step];
    if (name === undefined) return 'end';
    return listed.includes(name) ? `event ${name}` : 'other';
  };
  const columns = Array.from({ length: steps }, (_, step) => {
    const here = walks.filter((walk) => walk.length >= step);
    const listed = [...by(here.flatMap((walk) => walk[step] ?? []))]
      .toSorted(([a, first], [b, second]) => second - first || (a < b ? -1 : 1))
      .slice(0, limit)
      .map(([name]) => name);
    const counts = by(here.map((walk) => placeAt(walk, step, listed)));
    const places = [...listed.map((name) => `event ${name}`), 'other', 'end'].filter((place) =>
      counts.has(place),
    );
    return { here, listed, counts, places };
  });
  const links = columns.flatMap(({ here, listed, places }, step) => {
    const before = columns[step - 1];
    const pairs = by(
      here.map((walk) => {
        const from = before ? before.places.indexOf(placeAt(walk, step - 1, before.listed)) : 0;
        return `${from} ${places.indexOf(placeAt(walk, step, listed))}`;
      }),
    );
    return [...pairs].map(([pair, found]) => {
      const [from, to] = pair.split(' ').map(Number) as [number, number];
      return { step: step + 1, from, to, count: found };
    });
  });
  const whole = [...by(walks.map((walk) => JSON.stringify(walk)))]
    .toSorted(([a, first], [b, second]) => second - first || (a < b ? -1 : 1))
    .slice(0, 20)
    .map(([text, found]) => {
      const names = JSON.parse(text) as string[];
      return { events: names, has_ended: names.length < steps, count: found };
    });
  return {
    unit: window_hours === null ? 'sessions' : 'players',
    count,
    steps: columns
      .filter(({ places }) => places.length > 0)
      .map(({ places, counts }) =>
        places.map((place) => ({
          kind: place.split(' ')[0]!,
          event_name: place.startsWith('event ') ? place.slice('event '.length) : null,
          count: counts.get(place)!,
        })),
      ),
    links: links.toSorted((a, b) => a.step - b.step || a.from - b.from || a.to - b.to),
    paths: whole,
  };
}
