import { currencyDigits } from '@overworld/contract/analytics/currencies';
import type { RevenueSettings } from '@overworld/contract/analytics/revenue-settings';

/** An event of a test. Its amount and currency count only if it is a purchase. */
export interface Bought {
  player_id: string | null;
  at_ms: number;
  is_purchase: boolean;
  amount: unknown;
  currency: unknown;
}

interface NaiveQuestion {
  from: string;
  to: string;
  today: string;
  time_zone: string;
  settings: RevenueSettings;
  /** The only currency that counts. If null, all currencies count, converted to the report currency. */
  currency: string | null;
}

const KNOWN = ['EUR', 'USD', 'JPY', 'SEK'];
const DAY_MS = 86_400_000;
export const addDays = (day: string, count: number) =>
  new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10);

/** Computes the numbers of a revenue report in plain code, without a database. */
export function countRevenue(events: readonly Bought[], question: NaiveQuestion) {
  const { from, to, today, time_zone, settings, currency } = question;
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: time_zone });
  const dayOf = (at_ms: number) => format.format(at_ms);
  const inside = (day: string, first: string, last: string) => day >= first && day <= last;
  const left_out = { not_a_number: 0, too_large: 0, zero: 0, no_currency: 0, no_rate: 0 };
  const counted: { day: string; player_id: string | null; money: number }[] = [];
  let anonymous_count = 0;
  for (const { player_id, at_ms, is_purchase, amount, currency: sent } of events) {
    if (!is_purchase) continue;
    const day = dayOf(at_ms);
    const isInRange = inside(day, from, to);
    const leave = (reason: keyof typeof left_out) => {
      if (isInRange) left_out[reason]++;
    };
    const code = typeof sent === 'string' ? sent.toUpperCase() : '';
    if (typeof amount !== 'number') leave('not_a_number');
    else if (!KNOWN.includes(code)) leave('no_currency');
    else {
      const money = settings.amount_unit === 'minor' ? amount / 10 ** currencyDigits(code) : amount;
      if (Math.abs(money) > 100_000_000) leave('too_large');
      else if (Math.abs(money) < 5e-7) leave('zero');
      else {
        const rates = settings.rates
          .filter((rate) => rate.currency === code)
          .toSorted((a, b) => (a.valid_from < b.valid_from ? -1 : 1));
        const rate =
          code === settings.report_currency
            ? 1
            : (rates.filter(({ valid_from }) => valid_from <= day).at(-1) ?? rates[0])?.rate;
        if (currency === null && rate === undefined) leave('no_rate');
        else if (currency === null || currency === code) {
          counted.push({ day, player_id, money: currency === null ? money * rate! : money });
          if (isInRange && player_id === null) anonymous_count++;
        }
      }
    }
  }
  const daysOf = (first: string, last: string) => {
    const days: string[] = [];
    for (let day = first; day <= last; day = addDays(day, 1)) days.push(day);
    return days;
  };
  const count = (first: string, last: string) => {
    const here = counted.filter(({ day }) => inside(day, first, last));
    const payersOn = (start: string, end: string) =>
      new Set(
        here.flatMap(({ day, player_id, money }) =>
          inside(day, start, end) && money > 0 && player_id !== null ? [player_id] : [],
        ),
      ).size;
    const activeOn = (day: string) =>
      new Set(
        events.flatMap(({ at_ms, player_id }) =>
          player_id !== null && dayOf(at_ms) === day ? [player_id] : [],
        ),
      ).size;
    const days = daysOf(first, last);
    const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
    return {
      revenue: sum(here.map(({ money }) => money)),
      refunded: sum(here.map(({ money }) => Math.max(0, -money))),
      purchase_count: here.filter(({ money }) => money > 0).length,
      refund_count: here.filter(({ money }) => money < 0).length,
      payers: payersOn(first, last),
      active_players: sum(days.map(activeOn)),
      daily_payers: sum(days.map((day) => payersOn(day, day))),
    };
  };
  const firstDays = new Map<string, string>();
  const firstPurchases = new Map<string, string>();
  const keepEarliest = (map: Map<string, string>, player: string | null, day: string) => {
    if (player !== null && !(map.get(player)! <= day)) map.set(player, day);
  };
  for (const { player_id, at_ms } of events) keepEarliest(firstDays, player_id, dayOf(at_ms));
  for (const { player_id, day, money } of counted) {
    if (money > 0) keepEarliest(firstPurchases, player_id, day);
  }
  const conversion = [0, 1, 3, 7, 14, 30].flatMap((day) => {
    if (addDays(from, day) >= today) return [];
    const cohort = [...firstDays].filter(
      ([, first]) => inside(first, from, to) && addDays(first, day) < today,
    );
    const payers = cohort.filter(
      ([player, first]) => firstPurchases.get(player)! <= addDays(first, day),
    );
    return [{ day, players: cohort.length, payers: payers.length }];
  });
  const yesterday = addDays(today, -1);
  const end = to < today || from >= today ? to : yesterday;
  const length = daysOf(from, end).length;
  return {
    period: count(from, end),
    previous: count(addDays(from, -length), addDays(from, -1)),
    days: daysOf(from, to).map((day) => count(day, day)),
    conversion,
    anonymous_count,
    left_out,
  };
}
