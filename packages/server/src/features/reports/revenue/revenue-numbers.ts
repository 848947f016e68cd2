import { CURRENCIES } from '@overworld/contract/analytics/currencies';
import type { getRevenue } from '@overworld/contract/analytics/revenue';
import type { SuccessOf } from '@overworld/contract/operation';
import { groupBy } from '../scan/columns.ts';
import type { CurrencyDays, Purchases } from './collected-purchases.ts';
import { NEVER } from './conversion.ts';
import { roundMoney } from './money.ts';
import type { RevenueDays, Span } from './revenue-days.ts';

type Numbers = Omit<SuccessOf<typeof getRevenue>['period'], 'from' | 'to'>;

/** The purchases of one currency that the report counts. */
export interface Part {
  counted: CurrencyDays;
  /** The exchange rate that converts amounts of a given day. */
  rateOf(day: number): number;
}

interface Payers {
  /** The payers of all days, in the order of the days. A day may list a player several times. */
  players: Uint32Array;
  starts: Uint32Array;
  first_purchases: Uint32Array;
}

export function findPayers(
  { players, days, currency_places }: Purchases,
  player_count: number,
  day_count: number,
  isShown: (currency: string) => boolean,
): Payers {
  const is_shown = CURRENCIES.map(isShown);
  const first_purchases = new Uint32Array(player_count).fill(NEVER);
  const { order, starts } = groupBy(days, day_count);
  const arranged = new Uint32Array(order.length);
  let to = 0;
  const shown_starts = new Uint32Array(day_count + 1);
  for (let day = 0; day < day_count; day++) {
    shown_starts[day] = to;
    for (let place = starts[day]!; place < starts[day + 1]!; place++) {
      const index = order[place]!;
      if (!is_shown[currency_places[index]!]) continue;
      const player = players[index]!;
      arranged[to++] = player;
      if (first_purchases[player] === NEVER) first_purchases[player] = day;
    }
  }
  shown_starts[day_count] = to;
  return { players: arranged, starts: shown_starts, first_purchases };
}

/** Makes the function that computes the revenue numbers of a span of days. */
export function createCounter(parts: readonly Part[], payers: Payers, calendar: RevenueDays) {
  const counted_in = new Uint32Array(payers.first_purchases.length);
  let call = 0;
  const countPayers = ({ first, last }: Span) => {
    call++;
    let unique = 0;
    for (let place = payers.starts[first]!; place < payers.starts[last + 1]!; place++) {
      const player = payers.players[place]!;
      if (counted_in[player] === call) continue;
      counted_in[player] = call;
      unique++;
    }
    return unique;
  };
  const addUp = (span: Span, amountOf: (part: Part, day: number) => number) =>
    sumOf(parts, (part) => sumOver(span, (day) => amountOf(part, day)));
  return (span: Span): Numbers => {
    const revenue = roundMoney(
      addUp(span, (part, day) => part.counted.revenue.of(day) * part.rateOf(day)),
    );
    const unique = countPayers(span);
    const daily = sumOver(span, (day) => countPayers({ first: day, last: day }));
    const active_players = sumOver(span, (day) => calendar.active_players[day]!);
    return {
      revenue,
      refunded: roundMoney(
        addUp(span, (part, day) => part.counted.refunded.of(day) * part.rateOf(day)),
      ),
      purchase_count: addUp(span, (part, day) => part.counted.purchases[day]!),
      refund_count: addUp(span, (part, day) => part.counted.refunds[day]!),
      payers: unique,
      active_players,
      arpdau: divide(revenue, active_players),
      arppu: divide(revenue, unique),
      paying_share: divide(daily, active_players),
    };
  };
}

const divide = (total: number, count: number) => (count === 0 ? null : total / count);

export const sumOf = <Each>(list: readonly Each[], valueOf: (each: Each) => number): number =>
  list.reduce((sum, each) => sum + valueOf(each), 0);

export function sumOver({ first, last }: Span, valueOf: (day: number) => number): number {
  let sum = 0;
  for (let day = first; day <= last; day++) sum += valueOf(day);
  return sum;
}
