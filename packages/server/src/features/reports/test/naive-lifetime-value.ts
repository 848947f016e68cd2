/** An event as a line of an export. */
export interface ExportedPurchase {
  player_id: string | null;
  event_name: string;
  occurred_at: string;
  properties: { price?: unknown; currency?: unknown };
}

interface Question {
  from: string;
  to: string;
  today: string;
  time_zone: string;
  cohort: 'day' | 'week';
  /** The only currency that counts; null to convert dollars to euros by the rate, and to leave out all others. */
  currency: string | null;
  rate: number;
}

const DAYS = [0, 1, 3, 7, 14, 30, 60, 90];
const DAY_MS = 86_400_000;
const shift = (day: string, count: number) =>
  new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10);
const add = (values: number[]) => values.reduce((total, value) => total + value, 0);

/** Computes the values of cohorts by plain loops over exported events. */
export function countLifetimeValue(events: readonly ExportedPurchase[], question: Question) {
  const { from, to, today, time_zone, cohort, currency, rate } = question;
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: time_zone });
  const firsts = new Map<string, string>();
  for (const { player_id, occurred_at } of events) {
    const day = format.format(new Date(occurred_at));
    if (player_id !== null && !(firsts.get(player_id)! <= day)) firsts.set(player_id, day);
  }
  const bought = events.flatMap(({ player_id, event_name, occurred_at, properties }) => {
    const { price, currency: sent } = properties;
    const code = typeof sent === 'string' ? sent.toUpperCase() : '';
    if (event_name !== 'buy' || player_id === null || typeof price !== 'number') return [];
    if (price === 0 || Math.abs(price) > 100_000_000) return [];
    const factor =
      currency === null ? { EUR: 1, USD: rate }[code] : code === currency ? 1 : undefined;
    if (factor === undefined) return [];
    const first = firsts.get(player_id)!;
    const day = format.format(new Date(occurred_at));
    const after = (Date.parse(day) - Date.parse(first)) / DAY_MS;
    return after > 90 ? [] : [{ player_id, after, money: price * factor }];
  });
  const describe = (start: string, end: string) => {
    const players = [...firsts].filter(([, day]) => day >= start && day <= end);
    const ids = new Set(players.map(([id]) => id));
    const own = bought.filter(({ player_id }) => ids.has(player_id));
    return {
      player_count: ids.size,
      payers: new Set(own.filter(({ money }) => money > 0).map(({ player_id }) => player_id)).size,
      revenue: add(own.map(({ money }) => money)),
    };
  };
  const by = (start: string, end: string, day: number) => {
    const told = [...firsts].filter(([, first]) => first >= start && first <= end);
    const ids = new Set(told.map(([id]) => id));
    const revenue = add(
      bought.flatMap(({ player_id, after, money }) =>
        ids.has(player_id) && after <= day ? [money] : [],
      ),
    );
    return { players: ids.size, revenue, value: ids.size === 0 ? null : revenue / ids.size };
  };
  const cohorts: ({
    first_day: string;
    last_day: string;
    per_player: (number | null)[];
  } & ReturnType<typeof describe>)[] = [];
  for (let start = from; start <= to;) {
    let end = start;
    // 0 is Sunday, the last day of a week.
    const longest = cohort === 'week' ? to : start;
    while (end < longest && new Date(end).getUTCDay() !== 0) end = shift(end, 1);
    const last = end;
    cohorts.push({
      first_day: start,
      last_day: last,
      ...describe(start, last),
      per_player: DAYS.map((day) => (shift(last, day) < today ? by(start, last, day).value : null)),
    });
    start = shift(end, 1);
  }
  return {
    ...describe(from, to),
    per_player: DAYS.map((day) => {
      const end = shift(today, -day - 1) < to ? shift(today, -day - 1) : to;
      return { day, ...by(from, end, day) };
    }),
    cohorts,
  };
}

export type NaiveValues = ReturnType<typeof countLifetimeValue>;
