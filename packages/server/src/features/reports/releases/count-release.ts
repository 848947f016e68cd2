import type { Sample } from '../../../platform/reports/experiment-outcomes.ts';
import type { ReleaseInput, ReleaseOutcomes } from '../../../platform/reports/release-outcomes.ts';
import { dayNumber } from '../days.ts';
import { createAmounts } from '../experiment/revenue.ts';
import { eachActivity, isActiveWithin } from '../players/activity.ts';
import { createPurchaseScan } from '../revenue/purchase-scan.ts';
import { scanEvents } from '../scan/event-scan.ts';
import type { Scan } from '../scan/scan.ts';
import { readSessions } from '../sessions/read-sessions.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import { findReleasePlayers } from './release-players.ts';
import type { ReleasePlayers } from './release-players.ts';

/** Larger numbers count as this number, because the sum of their squares would be infinite. */
const LARGEST_NUMBER = 1e15;

const makeSample = (): Sample => ({ players: 0, sum: 0, sum_of_squares: 0 });

function add(sample: Sample, value: number): void {
  const counted = Math.max(-LARGEST_NUMBER, Math.min(value, LARGEST_NUMBER));
  sample.players++;
  sample.sum += counted;
  sample.sum_of_squares += counted * counted;
}

/** Counts what the players of a version did in the time in which each of them counts. */
export async function countRelease(
  database: ExploreDatabase,
  input: ReleaseInput,
  signal: AbortSignal,
): Promise<ReleaseOutcomes> {
  const players = await findReleasePlayers(database, input, signal);
  const of_days = await countDays(database, input, players, signal);
  const sums = { sessions: make(players), seconds: make(players) };
  const session_range = { ...input, ...players.selection };
  await readSessions(database, session_range, signal, ({ high, low, time, seconds }) => {
    const player = players.find(high, low);
    if (player === -1 || !players.isWithin(player, time)) return;
    sums.sessions[player]!++;
    sums.seconds[player]! += seconds;
  });
  const { revenue, events } = await sumEvents(database, input, players, signal);

  const samples = { sessions: makeSample(), session_seconds: makeSample(), revenue: makeSample() };
  const of_events = events.map(makeSample);
  for (let player = 0; player < players.count; player++) {
    if (!players.has(player) || !players.isComplete(player)) continue;
    const count = sums.sessions[player]!;
    add(samples.sessions, count);
    if (count > 0) add(samples.session_seconds, sums.seconds[player]! / count);
    if (revenue !== null) add(samples.revenue, revenue[player]!);
    for (const [index, values] of events.entries()) add(of_events[index]!, values[player]!);
  }
  return { ...of_days, ...samples, events: of_events };
}

const make = ({ count }: ReleasePlayers) => new Float64Array(count);

/** Counts the players who were active and new on the days, and those who came back. */
async function countDays(
  database: ExploreDatabase,
  input: ReleaseInput,
  players: ReleasePlayers,
  signal: AbortSignal,
): Promise<
  Pick<
    ReleaseOutcomes,
    'players' | 'new_players' | 'adoption' | 'retention_day_1' | 'retention_day_7'
  >
> {
  const counts = { players: 0, new_players: 0, adoption: makeSample() };
  const returned = { retention_day_1: makeSample(), retention_day_7: makeSample() };
  const [first, today] = [dayNumber(input.from), dayNumber(input.today)];
  const isActive = isActiveWithin(input);
  for (let player = 0; player < players.count; player++) {
    if (players.has(player)) counts.players++;
  }
  await eachActivity(database, input, signal, (high, low, days) => {
    if (!isActive(days)) return;
    const player = players.find(high, low);
    const has_started = player !== -1 && players.has(player);
    add(counts.adoption, Number(has_started));
    if (!has_started || !players.beganOn(player, days.first_day - first)) return;
    counts.new_players++;
    for (const [sample, place] of [
      [returned.retention_day_1, 1],
      [returned.retention_day_7, 7],
    ] as const) {
      if (days.first_day + place >= today) continue;
      add(sample, Number(place < days.length && days.isActive(place)));
    }
  });
  return { ...counts, ...returned };
}

/** Adds up, for each player, the events of each name and the money of purchases. */
async function sumEvents(
  database: ExploreDatabase,
  { event_names, revenue: settings, time_zone }: ReleaseInput,
  players: ReleasePlayers,
  signal: AbortSignal,
) {
  const events = event_names.map(() => make(players));
  const scans: Scan[] = event_names.map((name, index) => ({
    names: [name],
    columns: { players: players.find, times: true },
    onEvents({ count, players: of, times }) {
      for (let each = 0; each < count; each++) {
        const player = of[each]!;
        if (player !== -1 && players.isWithin(player, times[each]!)) events[index]![player]!++;
      }
    },
  }));
  const revenue = settings === null ? null : make(players);
  if (settings !== null) {
    const { scan, read } = createPurchaseScan(settings, players.find);
    const amountOf = await createAmounts(database, settings, time_zone, signal);
    scans.push({
      ...scan,
      with_anonymous: false,
      onEvents: (bought) =>
        read(bought, (purchase) => {
          const { player, time } = purchase;
          if (player === -1 || !players.isWithin(player, time)) return;
          revenue![player]! += amountOf(purchase);
        }),
    });
  }
  if (scans.length > 0) await scanEvents(database, players.selection, scans, signal, Infinity);
  return { revenue, events };
}
