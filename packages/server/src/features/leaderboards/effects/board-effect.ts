import type { Environment } from '@overworld/contract/common';
import { BOARD_RULES } from '@overworld/contract/leaderboards/rules';
import { createEncounters } from '../../../platform/definitions/encounters.ts';
import type { Encounters } from '../../../platform/definitions/encounters.ts';
import { environmentsOf, inWords } from '../../../platform/definitions/effects.ts';
import type { EffectDatabase, FoundEffect } from '../../../platform/definitions/effects.ts';
import { createPauses } from '../../../platform/pauses.ts';
import type { Settings } from '../seasons/settings-store.ts';
import type { BoardKey } from '../store.ts';
import { findEarlier, readPastSubmits } from './past-submits.ts';
import type { PastSubmit } from './past-submits.ts';
import { createReplay } from './replay.ts';
import type { StoppedBy } from './replay.ts';

/** A board with a ledger whose settings would change. */
export interface BoardEffectInput {
  game_id: string;
  board_name: string;
  /** Submits count if they came at or after this time. */
  since: string;
  /** The environment in which the settings are tried; null for a plan. */
  tried_in: Environment | null;
  /** The days since then for which the ledger is kept. */
  days: number;
  before: Settings;
  after: Settings;
  /** The ids of the server keys of the game. */
  server_keys: string[];
}

interface Tally {
  submits: number;
  /** The submits that each setting would have stopped. */
  stopped: Map<StoppedBy, number>;
  /** The submits that each rule has stopped. */
  stopped_before: Map<string, number>;
  /** The submits that each setting would have stopped, if the settings are tried. */
  encounters: Map<StoppedBy, Encounters>;
  player_count: number;
  is_complete: boolean;
}

/** Counts the submits of a ledger that the new settings of its board would have stopped. */
export async function count(
  database: EffectDatabase,
  input: BoardEffectInput,
  late: AbortSignal,
): Promise<FoundEffect[]> {
  const { game_id, board_name, days } = input;
  const effects: FoundEffect[] = [];
  let submits = 0;
  for (const environment of environmentsOf(input)) {
    const tally = await replay(database, { game_id, environment, board_name }, input, late);
    submits += tally.submits;
    if (tally.submits > 0) effects.push(...describe(tally, environment, input));
    if (!tally.is_complete) {
      if (submits === 0) late.throwIfAborted();
      return effects;
    }
  }
  if (submits > 0) return effects;
  const words = `No submits ${daysInWords(days)} are in the ledger.`;
  return [{ ...ABOUT, environment: null, part: null, numbers: { submits }, words }];
}

const ABOUT = { about: 'submits', state: 'counted' } as const;

const daysInWords = (days: number) => (days === 1 ? 'of the last day' : `of the last ${days} days`);

/** Submits all that the ledger has again, with the new settings. */
async function replay(
  database: EffectDatabase,
  board: BoardKey,
  { since, tried_in, before, after, server_keys }: BoardEffectInput,
  late: AbortSignal,
): Promise<Tally> {
  const again = createReplay(after, before.keeps, new Set(server_keys));
  const tally: Tally = {
    submits: 0,
    stopped: new Map(),
    stopped_before: new Map(),
    encounters: new Map(),
    player_count: 0,
    is_complete: false,
  };
  const pause = createPauses();
  database.progress.expect(board.environment, Date.now() - Date.parse(since));
  let told_ms = Date.parse(since);
  try {
    for await (const page of readPastSubmits(database, board, since, late)) {
      const firsts = again.asks_earlier ? listFirsts(page, again.knows) : [];
      const earlier = await findEarlier(database, board, since, firsts, late);
      for (const past of page) {
        await pause();
        late.throwIfAborted();
        tally.submits++;
        const setting = again.submit(past, earlier.get(past.player_id));
        add(tally.stopped, setting);
        if (tried_in !== null && setting !== null) meet(tally.encounters, setting, past);
        const { rule, outcome } = past;
        const was_stopped = outcome === 'refused' || outcome === 'quarantined';
        if (rule !== null && was_stopped) add(tally.stopped_before, rule);
      }
      const now_ms = page.at(-1)!.submitted_ms;
      database.progress.add(Math.max(0, now_ms - told_ms));
      told_ms = now_ms;
    }
    tally.is_complete = true;
  } catch (error) {
    if (!late.aborted) throw error;
  }
  tally.player_count = again.player_count;
  return tally;
}

/** Lists the first submits of players whom the replay has not met yet. */
function listFirsts(page: readonly PastSubmit[], knows: (id: string) => boolean): PastSubmit[] {
  const firsts = new Map<string, PastSubmit>();
  for (const past of page) {
    if (!firsts.has(past.player_id) && !knows(past.player_id)) firsts.set(past.player_id, past);
  }
  return [...firsts.values()];
}

const add = <Key>(counts: Map<Key, number>, key: Key) =>
  void counts.set(key, (counts.get(key) ?? 0) + 1);

/** Keeps a submit that a setting would have stopped. */
function meet(
  encounters: Map<StoppedBy, Encounters>,
  setting: StoppedBy,
  { player_id, score, score_before, submitted_ms }: PastSubmit,
): void {
  const met = encounters.get(setting) ?? createEncounters('oldest first');
  encounters.set(setting, met);
  const before = score_before === null ? 'the first one' : `after ${inWords(score_before)}`;
  const words = `Score ${inWords(score)}, ${before}`;
  met.add({ player_id, at: new Date(submitted_ms).toISOString(), words });
}

/** Says for each setting that stops submits, or has stopped some, how many they are. */
function describe(
  { submits, stopped, stopped_before, is_complete, encounters, player_count }: Tally,
  environment: Environment,
  { days, before, after, tried_in }: BoardEffectInput,
): FoundEffect[] {
  const which = is_complete ? '' : 'the first ';
  const rest = is_complete ? '' : ' There was no time for the later ones.';
  const all = `${which}${inWords(submits)} ${submits === 1 ? 'submit' : 'submits'} ${daysInWords(days)} in the ledger of ${environment}`;
  const effect = (
    part: string,
    words: string,
    numbers: Record<string, number>,
    setting: StoppedBy,
  ): FoundEffect => ({
    about: 'submits',
    environment,
    part,
    state: is_complete ? 'counted' : 'partial',
    numbers: { submits, ...numbers },
    words: `${words}.${rest}`,
    ...(tried_in !== null &&
      (encounters.get(setting) ?? createEncounters('oldest first')).show(player_count)),
  });
  const effects: FoundEffect[] = [];
  const has = (settings: Settings, setting: (typeof OTHERS)[number]) =>
    setting === 'bounds'
      ? settings.min_score !== null || settings.max_score !== null
      : settings.writes_from !== 'anyone';
  for (const setting of OTHERS) {
    if (!has(after, setting)) continue;
    const count_now = stopped.get(setting) ?? 0;
    const words = `${OTHER_WORDS[setting]} would have refused ${inWords(count_now)} of ${all}`;
    effects.push(effect(setting, words, { stopped: count_now }, setting));
  }
  for (const rule of BOARD_RULES) {
    if (rule === 'required_metadata') continue;
    const [had, has_now] = [before[rule] !== null, after[rule] !== null];
    if (!had && !has_now) continue;
    const count_now = stopped.get(rule) ?? 0;
    const stopped_then = stopped_before.get(rule) ?? 0;
    const stops = after.on_violation === 'quarantine' ? 'quarantined' : 'refused';
    const words = `rule \`${rule}\` would have ${stops} ${inWords(count_now)} of ${all}`;
    const instead = had ? `, instead of the ${inWords(stopped_then)} that it stopped` : '';
    const numbers = { stopped: count_now, ...(had && { stopped_before: stopped_then }) };
    effects.push(effect(rule, `${words}${instead}`, numbers, rule));
  }
  const unknown = stopped.get('unknown') ?? 0;
  if (unknown > 0) {
    const words = `Of ${all}, ${inWords(unknown)} may break \`max_gain_per_hour\`, but nothing says when their players reached the scores before`;
    effects.push(effect('max_gain_per_hour', words, { unknown }, 'unknown'));
  }
  return effects;
}

/** The settings besides the rules that refuse submits. */
const OTHERS = ['bounds', 'writes_from'] as const;
const OTHER_WORDS = {
  bounds: '`min_score` and `max_score`',
  writes_from: '`writes_from`',
};
