/** An event as a line of an export. */
export interface ExportedEvent {
  player_id: string | null;
  event_name: string;
  occurred_at: string;
  properties: { level?: unknown; mode?: string };
}

interface Question {
  start_event: string;
  fail_event: string;
  complete_event: string;
  from: string;
  to: string;
  today: string;
  is_hard: boolean;
  isTold: (player_id: string) => boolean;
}

const DAY_MS = 86_400_000;
const dayOf = (event: ExportedEvent) => event.occurred_at.slice(0, 10);

/**
 * Counts a progression by a plain loop over exported events, for games in UTC whose events are all at different
 * times, or come in the order of the list.
 */
export function countProgression(events: readonly ExportedEvent[], question: Question) {
  const { start_event, fail_event, complete_event, from, to, today, is_hard, isTold } = question;
  const names = [start_event, fail_event, complete_event];
  const last_days = new Map<string, string>();
  for (const event of events) {
    const before = last_days.get(event.player_id ?? '') ?? '';
    if (event.player_id !== null && dayOf(event) > before) {
      last_days.set(event.player_id, dayOf(event));
    }
  }
  const week_ago = new Date(Date.parse(today) - 7 * DAY_MS).toISOString().slice(0, 10);
  const latest = [to, week_ago].toSorted()[0]!;
  const told = events
    .filter(
      ({ player_id, event_name, properties }) =>
        player_id !== null &&
        isTold(player_id) &&
        names.includes(event_name) &&
        (properties.level ?? null) !== null &&
        (!is_hard || properties.mode === 'hard'),
    )
    .filter((event) => dayOf(event) >= from && dayOf(event) <= to)
    .map((event) => ({
      player_id: event.player_id!,
      kind: names.indexOf(event.event_name),
      at: event.occurred_at,
      value: textOf(event.properties.level),
    }));
  const last_events = new Map<string, (typeof told)[number]>();
  for (const event of told) {
    const before = last_events.get(event.player_id);
    if (before === undefined || event.at >= before.at) last_events.set(event.player_id, event);
  }
  const left = [...last_events.values()].filter(
    ({ player_id }) => last_days.get(player_id)! <= latest,
  );
  const values = [...new Set(told.map(({ value }) => value))].toSorted();
  const steps = values.map((value) => {
    const here = told.filter((event) => event.value === value);
    const [starts, fails, completions] = names.map((_name, kind) =>
      here.filter((event) => event.kind === kind),
    ) as [typeof told, typeof told, typeof told];
    const players = (of: typeof told) => new Set(of.map(({ player_id }) => player_id)).size;
    const left_here = left.filter((event) => event.value === value);
    const ended = fails.length + completions.length;
    return {
      value,
      starts: starts.length,
      fails: fails.length,
      completions: completions.length,
      players: players(here),
      started_players: players(starts),
      failed_players: players(fails),
      completed_players: players(completions),
      fail_ratio: ended === 0 ? null : fails.length / ended,
      tries_per_completion: completions.length === 0 ? null : starts.length / completions.length,
      left: left_here.length,
      left_unfinished: left_here.filter(({ kind }) => kind !== 2).length,
      left_share: left_here.length / players(here),
    };
  });
  return { players: last_events.size, left: left.length, step_count: values.length, steps };
}

/** Writes a value as PostgreSQL writes JSON. The lists and objects of the test have one member. */
const textOf = (value: unknown) =>
  typeof value === 'string' ? value : JSON.stringify(value).replace(':', ': ');
