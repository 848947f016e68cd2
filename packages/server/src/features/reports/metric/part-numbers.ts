import type { MetricNumber } from '@overworld/contract/analytics/metric';
import type { MetricPart } from '../../../platform/reports/metric-parts.ts';
import { addUp } from '../add-up.ts';
import { arrange, findStarts, percentiles } from '../scan/columns.ts';
import { createPlayerCounter } from '../player-counter.ts';

/** The events of a part. An index stands for the same event in each column; columns that it does not need are empty. */
export interface PartEvents {
  count: number;
  days: Uint32Array<ArrayBuffer>;
  players: Uint32Array<ArrayBuffer>;
  numbers: Float64Array<ArrayBuffer>;
  player_count: number;
}

/** The numbers of a part: for all days together, and for each. */
export interface PartNumbers {
  total: MetricNumber;
  days: MetricNumber[];
}

/** Tells whether a part needs to know the players of its events. Events without a player then do not count. */
export const countsPlayers = ({ kind, per }: MetricPart): boolean =>
  kind === 'players' || per === 'player';

/**
 * Makes the numbers of a part for each group of its events.
 * @param groups The group of each event: 0 for the first one.
 * @param begun_days The number of days that have begun. They make the average of a number of each day.
 */
export function countPart(
  part: MetricPart,
  events: PartEvents,
  groups: Uint32Array,
  { group_count, day_count, begun_days }: Sizes,
): PartNumbers[] {
  const cells = new Uint32Array(events.count);
  for (let index = 0; index < cells.length; index++) {
    cells[index] = groups[index]! * day_count + events.days[index]!;
  }
  const starts = findStarts(cells, group_count * day_count);
  const sorted = <C extends PartEvents['players'] | PartEvents['numbers']>(column: C): C =>
    column.length === 0 ? column : arrange(column, cells, starts);
  const [players, numbers] = [sorted(events.players), sorted(events.numbers)];
  const countPlayers = createPlayerCounter(events.player_count);
  const measure = (first: number, end: number) =>
    numberOf(part, {
      count: end - first,
      players: countsPlayers(part) ? countPlayers(players.subarray(first, end)) : 0,
      numbers: numbers.subarray(first, end),
    });
  return Array.from({ length: group_count }, (_, group) => {
    const at = (day: number) => starts[group * day_count + day]!;
    const days = Array.from({ length: day_count }, (_each, day) => measure(at(day), at(day + 1)));
    if (part.per === 'day') return { total: averageOf(days, begun_days), days };
    // The whole comes last, because percentiles change the order of the numbers.
    return { total: measure(at(0), at(day_count)), days };
  });
}

export interface Sizes {
  group_count: number;
  day_count: number;
  begun_days: number;
}

interface Counted {
  count: number;
  players: number;
  numbers: Float64Array;
}

function numberOf(part: MetricPart, { count, players, numbers: sent }: Counted): MetricNumber {
  const { kind, per, percentile, millionths } = part;
  const toUnit = (number: number | null) =>
    number === null ? null : (number * millionths) / 1_000_000;
  switch (kind) {
    case 'count':
      return per === 'player'
        ? { number: divide(count, players), base: players }
        : { number: count, base: count };
    case 'players':
      return { number: players, base: players };
    default: {
      const numbers = onlyNumbers(sent);
      const sum = addUp(numbers);
      if (kind === 'percentile') {
        const [number = null] = percentiles(numbers, [percentile!]);
        return { number: toUnit(number), base: numbers.length };
      }
      if (kind === 'average') {
        return { number: toUnit(divide(sum, numbers.length)), base: numbers.length };
      }
      return per === 'player'
        ? { number: toUnit(divide(sum, players)), base: players }
        : { number: toUnit(sum), base: numbers.length };
    }
  }
}

/**
 * Moves the numbers to the front of the array, and NaN, which stands for an event without a number, to its end. The
 * array keeps all entries, because those of a day are counted again with those of all days.
 */
function onlyNumbers(values: Float64Array): Float64Array {
  let count = 0;
  for (let index = 0; index < values.length; index++) {
    const value = values[index]!;
    if (Number.isNaN(value)) continue;
    values[index] = values[count]!;
    values[count++] = value;
  }
  return values.subarray(0, count);
}

/** Divides; null without a finite result. */
function divide(above: number | null, below: number): number | null {
  if (above === null || below === 0) return null;
  const quotient = above / below;
  return Number.isFinite(quotient) ? quotient : null;
}

function averageOf(days: readonly MetricNumber[], begun_days: number): MetricNumber {
  const counted = days.map(({ number }) => number).filter((number) => number !== null);
  const base = days.reduce((sum, day) => sum + day.base, 0);
  return { number: divide(addUp(Float64Array.from(counted)), begun_days), base };
}

/** Divides the numbers of one part by those of another. */
export const divideParts = (above: PartNumbers, below: PartNumbers): PartNumbers => ({
  total: divideNumbers(above.total, below.total),
  days: above.days.map((day, place) => divideNumbers(day, below.days[place]!)),
});

const divideNumbers = (above: MetricNumber, below: MetricNumber): MetricNumber => ({
  number: divide(above.number, below.number ?? 0),
  base: below.base,
});
