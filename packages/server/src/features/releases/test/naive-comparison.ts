/** An event as the export writes it. */
export interface ExportedEvent {
  event_name: string;
  session_id: string;
  player_id: string | null;
  occurred_at: string;
  properties: Record<string, unknown>;
}

interface NaiveQuestion {
  version: string;
  from: string;
  to: string;
  days: number;
  as_of: string;
  time_zone: string;
  event_name: string;
  amount_property: string;
}

const DAY_MS = 86_400_000;

/** Counts what a comparison says about a version, in plain code, from exported events alone. */
export function countRelease(events: readonly ExportedEvent[], asked: NaiveQuestion) {
  const { version, from, to, days, as_of, time_zone, event_name, amount_property } = asked;
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: time_zone });
  const dayOf = (ms: number) => format.format(ms);
  const laterDay = (day: string, count: number) =>
    new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10);
  const isWithinDays = (day: string) => day >= from && day <= to;
  const today = dayOf(Date.parse(as_of));
  const of_players = Map.groupBy(
    events
      .filter(({ player_id }) => player_id !== null)
      .map((event) => ({ ...event, ms: Date.parse(event.occurred_at) })),
    ({ player_id }) => player_id!,
  );
  const counted = {
    players: 0,
    new_players: 0,
    adoption: [] as number[],
    retention_day_1: [] as number[],
    retention_day_7: [] as number[],
    sessions: [] as number[],
    session_seconds: [] as number[],
    revenue: [] as number[],
    events: [] as number[],
  };
  for (const own of of_players.values()) {
    const active = new Set(own.map(({ ms }) => dayOf(ms)));
    const isActive = [...active].some(isWithinDays);
    const starts = own.filter(
      (event) => event.event_name === 'session_start' && event.properties.app_version !== undefined,
    );
    const isOwn = (event: (typeof own)[number]) => event.properties.app_version === version;
    const first = Math.min(
      ...starts
        .filter((event) => isOwn(event) && isWithinDays(dayOf(event.ms)))
        .map(({ ms }) => ms),
    );
    if (isActive) counted.adoption.push(Number(first < Infinity));
    if (first === Infinity) continue;
    counted.players++;
    const others = starts.filter((event) => !isOwn(event)).map(({ ms }) => ms);
    const first_day = [...active].toSorted()[0]!;
    if (first_day === dayOf(first) && others.every((ms) => ms >= first)) {
      counted.new_players++;
      for (const [name, number] of [
        ['retention_day_1', 1],
        ['retention_day_7', 7],
      ] as const) {
        const day = laterDay(first_day, number);
        if (day < today) counted[name].push(Number(active.has(day)));
      }
    }
    if (first + days * DAY_MS > Date.parse(as_of)) continue;
    const until = Math.min(first + days * DAY_MS, ...others.filter((ms) => ms >= first));
    const isWithin = (ms: number) => ms >= first && ms < until;
    const lengths = [...Map.groupBy(own, ({ session_id }) => session_id).values()].flatMap((of) => {
      const times = of.map(({ ms }) => ms);
      const begun = Math.min(...times);
      return isWithin(begun) ? [Math.floor((Math.max(...times) - begun) / 1_000)] : [];
    });
    const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
    counted.sessions.push(lengths.length);
    if (lengths.length > 0) counted.session_seconds.push(sum(lengths) / lengths.length);
    const within = own.filter(({ ms }) => isWithin(ms));
    counted.events.push(within.filter((event) => event.event_name === event_name).length);
    counted.revenue.push(
      sum(
        within
          .filter((event) => event.event_name === 'purchase')
          .map(({ properties }) => properties[amount_property] as number),
      ),
    );
  }
  return counted;
}
