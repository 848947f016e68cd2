import type { getBreakdown } from '@overworld/contract/analytics/breakdown';
import type { SuccessOf } from '@overworld/contract/operation';
import { addUp } from '../add-up.ts';
import { arrange, createColumn, findStarts, percentiles } from '../scan/columns.ts';
import { scanEvents } from '../scan/event-scan.ts';
import type { EventChoice, EventSelection } from '../scan/event-selection.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import { createGroups } from '../scan/groups.ts';
import { expectEvents } from '../scan/expected-rows.ts';
import { createPlayerCounter } from '../player-counter.ts';
import type { PlayerChoice } from '../players/player-choice.ts';
import { findEventPlayers } from '../players/find-players.ts';
import { createPlayerNumbers } from '../scan/player-numbers.ts';
import type { Scan } from '../scan/scan.ts';

export interface BreakdownInput extends EventSelection {
  events: EventChoice;
  /** The property whose values make the groups; null for a report without groups. */
  group_by: string | null;
  /** The property whose numbers are summed up; null to only count events. */
  property: string | null;
  /** The players whose events count; null for all events. */
  choice: PlayerChoice | null;
  limit: number;
  /** Given if the numbers are amounts of purchases in several currencies. */
  money?: {
    currency_property: string;
    /** The only currency that counts; null for the one with the most events. */
    currency: string | null;
  };
}

export type BreakdownReport = Pick<
  SuccessOf<typeof getBreakdown>,
  'currency' | 'currencies' | 'total' | 'groups'
>;
type Counts = Pick<BreakdownReport, 'total' | 'groups'>;

/** The maximum number of currencies that a report lists. */
const CURRENCIES_LISTED = 20;

/**
 * Makes a breakdown. Amounts in different currencies are never added up: a report on the amounts of purchases
 * is about one currency, unless the currencies are its groups.
 */
export async function makeBreakdown(
  database: ExploreDatabase,
  input: BreakdownInput,
  signal: AbortSignal,
): Promise<BreakdownReport> {
  const { money } = input;
  if (!money) {
    return { currency: null, currencies: [], ...(await countEvents(database, input, signal)) };
  }
  const by = { property: null, group_by: money.currency_property, limit: CURRENCIES_LISTED };
  const { groups: bought } = await countEvents(database, { ...input, ...by }, signal);
  const currencies = [
    ...new Set(bought.flatMap(({ value }) => (value === null ? [] : [value.toUpperCase()]))),
  ];
  if (input.group_by === money.currency_property) {
    const { total, groups } = await countEvents(
      database,
      { ...input, money: { ...money, currency: null } },
      signal,
    );
    const { numbers } = total;
    const counted = { ...total, ...describeNumbers(new Float64Array(0)), numbers };
    return { currency: null, currencies, total: currencies.length > 1 ? counted : total, groups };
  }
  const currency = money.currency ?? currencies[0] ?? null;
  const one = { ...input, money: { ...money, currency } };
  return { currency, currencies, ...(await countEvents(database, one, signal)) };
}

/**
 * Counts the events of one name, and computes statistics of the numbers in one of their properties. Both are
 * also grouped by the values of another property.
 */
async function countEvents(
  database: ExploreDatabase,
  input: BreakdownInput,
  signal: AbortSignal,
): Promise<Counts> {
  const { player_count, players, values, groups, group_numbers } = await scanBreakdown(
    database,
    input,
    signal,
  );
  const total = {
    events: players.length,
    players: player_count,
    ...describeNumbers(values.slice()),
  };
  if (groups === null) return { total, groups: [] };
  const sizes = new Uint32Array(groups.count());
  for (let index = 0; index < group_numbers.length; index++) sizes[group_numbers[index]!]!++;
  const { labels, label_of } = await groups.choose(sizes, input.limit, signal);
  const label_numbers = new Uint32Array(group_numbers.length);
  for (let index = 0; index < group_numbers.length; index++) {
    label_numbers[index] = label_of[group_numbers[index]!]!;
  }
  const starts = findStarts(label_numbers, labels.length + 1);
  const members = arrange(players, label_numbers, starts);
  const numbers = arrange(values, label_numbers, starts);
  const countPlayers = createPlayerCounter(player_count);
  return {
    total,
    groups: labels.map((label, group) => {
      const [first, end] = [starts[group]!, starts[group + 1]!];
      return {
        ...label,
        events: end - first,
        players: countPlayers(members.subarray(first, end)),
        ...describeNumbers(numbers.subarray(first, end)),
      };
    }),
  };
}

async function scanBreakdown(
  database: ExploreDatabase,
  input: BreakdownInput,
  signal: AbortSignal,
) {
  const { events, group_by, property } = input;
  await expectEvents(database, input, [events.event_name], signal);
  const found = await findEventPlayers(database, input, input.choice, signal);
  const groups =
    group_by === null ? found.groups : createGroups(database, input, events.event_name, group_by);
  const numbers = createPlayerNumbers();
  const players = createColumn.integers();
  const values = createColumn.doubles();
  const group_numbers = createColumn.integers();
  const scan: Scan = {
    ...(found.keeps && { keeps: found.keeps }),
    names: [events.event_name],
    choices: [events],
    ...inCurrency(input),
    with_anonymous: true,
    columns: {
      players: numbers.numberOf,
      numbers: property,
      values: groups === null ? [] : [groups],
    },
    onEvents(read) {
      players.append(read.players, read.count);
      if (property !== null) values.append(read.numbers, read.count);
      if (groups !== null) group_numbers.append(read.values[0]!, read.count);
    },
  };
  await scanEvents(database, input, [scan], signal);
  return {
    player_count: numbers.count,
    players: players.values(),
    values: values.values(),
    groups,
    group_numbers: group_numbers.values(),
  };
}

/** Chooses the purchases in one currency, if the report is about one. */
function inCurrency({ money, property }: BreakdownInput): Pick<Scan, 'in_currency'> {
  if (!money || money.currency === null || property === null) return {};
  return { in_currency: { property: money.currency_property, currency: money.currency } };
}

const SHARES = [0, 0.25, 0.5, 0.75, 0.9, 0.99, 1];

/**
 * @param values The number in each event; NaN for an event without a number. The function reorders the array.
 */
function describeNumbers(values: Float64Array) {
  let count = 0;
  for (let index = 0; index < values.length; index++) {
    const value = values[index]!;
    if (!Number.isNaN(value)) values[count++] = value;
  }
  const numbers = values.subarray(0, count);
  const sum = count === 0 ? null : addUp(numbers);
  const [minimum, p25, median, p75, p90, p99, maximum] = percentiles(numbers, SHARES) as Seven;
  const average = sum === null ? null : sum / count;
  return { numbers: count, sum, average, minimum, p25, median, p75, p90, p99, maximum };
}

type Share = number | null;
type Seven = [Share, Share, Share, Share, Share, Share, Share];
