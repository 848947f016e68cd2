import type { getProgression } from '@overworld/contract/analytics/progression';
import { compareNaturally } from '@overworld/contract/natural-order';
import type { SuccessOf } from '@overworld/contract/operation';
import type { DateRange } from '../../../platform/reports/date-range.ts';
import { divide } from '../days.ts';
import { findEventPlayers } from '../players/find-players.ts';
import type { PlayerChoice } from '../players/player-choice.ts';
import { groupBy } from '../scan/columns.ts';
import type { EventSelection } from '../scan/event-selection.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import { findLastEvents, findLeft } from './last-events.ts';
import { KINDS, readProgression } from './progression-events.ts';
import type { ProgressionEvents, ReadProgression } from './progression-events.ts';

export interface ProgressionInput extends EventSelection, DateRange, ProgressionEvents {
  /** The players whom the report counts; null for all players. */
  choice: PlayerChoice | null;
  /** The steps that the report lists; null for all of them. */
  page: { limit: number; offset: number } | null;
}

type Report = SuccessOf<typeof getProgression>;
export type ProgressionReport = Omit<Report, 'from' | 'to' | 'time_zone'>;
export type ProgressionStep = Report['steps'][number];

/** Counts the starts, fails and completions of steps. The contract has the definitions. */
export async function makeProgression(
  database: ExploreDatabase,
  input: ProgressionInput,
  signal: AbortSignal,
): Promise<ProgressionReport> {
  const { choice, events, page } = input;
  const found = await findEventPlayers(database, input, choice, signal);
  const read = await readProgression(database, input, input, found, signal);
  const last = findLastEvents(read);
  const { labels, label_of } = await chooseLabels(read, last, found.groups, choice, signal);

  const ordered = (await read.readSteps()).toSorted((a, b) => compareNaturally(a.text, b.text));
  const first = page?.offset ?? 0;
  const listed = ordered.slice(first, page === null ? undefined : first + page.limit);

  const has_left = await findLeft(database, input, read, signal);
  const counts = countSteps(read, {
    listed: ordered.map(({ step }) => step),
    label_of,
    labels: labels.length,
    last,
    has_left,
  });
  const listSteps = (label: number, isGroup: boolean) =>
    listed.flatMap(({ text }, place) => {
      const numbers = counts.of(first + place, label);
      if (isGroup && numbers.players === 0) return [];
      return [describe(text, numbers, events)];
    });
  return {
    players: counts.players[labels.length]!,
    left: counts.left[labels.length]!,
    step_count: ordered.length,
    other_step_count: read.step_count - ordered.length,
    steps: listSteps(labels.length, false),
    groups: labels.map((label, index) => ({
      ...label,
      players: counts.players[index]!,
      left: counts.left[index]!,
      steps: listSteps(index, true),
    })),
  };
}

/** Chooses the groups of the players who have a last event, and returns the group of each player. */
async function chooseLabels(
  { player_count, player_values }: ReadProgression,
  last: Int32Array,
  groups: Awaited<ReturnType<typeof findEventPlayers>>['groups'],
  choice: PlayerChoice | null,
  signal: AbortSignal,
) {
  if (groups === null) return { labels: [], label_of: () => -1 };
  const sizes = new Uint32Array(groups.count());
  for (let player = 0; player < player_count; player++) {
    // Players have numbers too if their events name no step.
    if (last[player] !== -1) sizes[player_values[player]!]!++;
  }
  const chosen = await groups.choose(sizes, choice?.split_limit ?? 0, signal);
  return {
    labels: chosen.labels,
    label_of: (player: number) => {
      const label = chosen.label_of[player_values[player]!]!;
      return label < chosen.labels.length ? label : -1;
    },
  };
}

const COMPLETE = KINDS.indexOf('complete');
/** The numbers of a step, by their place: events of each kind, players of each kind, and three more. */
const [PLAYERS, LEFT, LEFT_UNFINISHED, WIDTH] = [6, 7, 8, 9];

/**
 * Counts each step that the report lists, by its place in `listed`, for all players and for each group. The
 * group after the last one is all players.
 */
function countSteps(
  { player_count, step_count, players, steps, kinds }: ReadProgression,
  about: {
    listed: readonly number[];
    label_of: (player: number) => number;
    labels: number;
    last: Int32Array;
    has_left: Uint8Array;
  },
) {
  const { listed, labels, last, has_left } = about;
  const all = labels;
  const place_of = new Int32Array(step_count).fill(-1);
  listed.forEach((step, place) => {
    place_of[step] = place;
  });
  const table = new Uint32Array(listed.length * (labels + 1) * WIDTH);
  const cellOf = (place: number, label: number) => (place * (labels + 1) + label) * WIDTH;
  const group_of = Int32Array.from({ length: player_count }, (_, player) => about.label_of(player));
  const total = new Uint32Array(labels + 1);
  const left = new Uint32Array(labels + 1);
  const add = (step: number, player: number, number: number) => {
    const place = place_of[step]!;
    if (place === -1) return;
    table[cellOf(place, all) + number]!++;
    if (group_of[player] !== -1) table[cellOf(place, group_of[player]!) + number]!++;
  };
  const { order, starts } = groupBy(steps, step_count);
  const seen = new Uint8Array(player_count);
  for (const step of listed) {
    const members = order.subarray(starts[step], starts[step + 1]);
    for (const index of members) seen[players[index]!] = 0;
    for (const index of members) {
      const [player, kind] = [players[index]!, kinds[index]!];
      add(step, player, kind);
      if (seen[player] === 0) add(step, player, PLAYERS);
      if ((seen[player]! & (1 << kind)) === 0) add(step, player, KINDS.length + kind);
      seen[player]! |= 1 << kind;
    }
  }
  for (let player = 0; player < player_count; player++) {
    const event = last[player]!;
    if (event === -1) continue;
    const groups = group_of[player] === -1 ? [all] : [all, group_of[player]!];
    for (const group of groups) total[group]!++;
    if (has_left[player] === 0) continue;
    for (const group of groups) left[group]!++;
    add(steps[event]!, player, LEFT);
    if (kinds[event] !== COMPLETE) add(steps[event]!, player, LEFT_UNFINISHED);
  }
  return {
    players: total,
    left,
    of(place: number, label: number) {
      const at = cellOf(place, label);
      return {
        events: [...table.subarray(at, at + KINDS.length)],
        players_of: [...table.subarray(at + KINDS.length, at + PLAYERS)],
        players: table[at + PLAYERS]!,
        left: table[at + LEFT]!,
        left_unfinished: table[at + LEFT_UNFINISHED]!,
      };
    },
  };
}

function describe(
  value: string,
  {
    events: [starts, fails, completions],
    players_of: [started, failed, completed],
    players,
    left,
    left_unfinished,
  }: ReturnType<ReturnType<typeof countSteps>['of']>,
  given: ProgressionEvents['events'],
): ProgressionStep {
  const has_fails = given.fail !== null;
  const has_completions = given.complete !== null;
  return {
    value,
    starts: starts!,
    fails: has_fails ? fails! : null,
    completions: has_completions ? completions! : null,
    players,
    started_players: started!,
    failed_players: has_fails ? failed! : null,
    completed_players: has_completions ? completed! : null,
    fail_ratio: has_fails && has_completions ? divide(fails!, fails! + completions!) : null,
    tries_per_completion: has_completions ? divide(starts!, completions!) : null,
    left,
    left_unfinished,
    left_share: divide(left, players),
  };
}
