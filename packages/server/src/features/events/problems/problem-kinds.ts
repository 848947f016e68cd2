import { createHash } from 'node:crypto';
import type { EventViolation } from '@overworld/contract/events/track';
import { MAX_PROBLEMS_OF_KEY, MAX_SAMPLE_LENGTH } from '@overworld/contract/events/problem-limits';
import type { KeyCaller } from '../../../platform/auth/api-keys.ts';
import { forRowsOfEachGroup } from '../../../platform/database/group-rows.ts';
import type { GroupedDatabase } from '../../../platform/database/game-groups.ts';
import { addKinds } from './problem-store.ts';
import type { NotedKind, Sample } from './problem-store.ts';

/** The maximum number of kinds of all games in memory between two flushes, 5 KB each at most. */
const MAX_NOTED = 5_000;
/** One game may have so many of them: a hundred keys of it would take the room of all others. */
const MAX_NOTED_OF_GAME = 500;
/** A message may list long values that a schema allows. */
const MAX_MESSAGE_LENGTH = 600;

/** Notes the problems of the events of one request. */
export type NoteKinds = (
  caller: KeyCaller,
  kind: NotedKind['kind'],
  violations: readonly EventViolation[],
  /** The events of the request; empty if they were not read. */
  events: readonly unknown[],
) => void;

/**
 * Groups the problems of events by API key, event name, field and message. Keeps them in bounded memory, so
 * no request waits for the database: a key has at most as many kinds between two flushes as are kept.
 */
export function createProblemKinds(database: GroupedDatabase) {
  // A caller is the same object for as long as its key stays in memory.
  let noted = new Map<KeyCaller, Map<string, NotedKind>>();
  let size = 0;
  let size_of_game = new Map<string, number>();

  const note: NoteKinds = (caller, kind, violations, events) => {
    if (violations.length === 0) return;
    let kinds = noted.get(caller);
    if (kinds === undefined) noted.set(caller, (kinds = new Map()));
    const takeSample = createSampler(events);
    // An event with several problems of one kind, such as in each entry of a list, counts once.
    const counted = new Set<string>();
    for (const { index, event_name, path, message } of violations) {
      const texts = [kind, event_name ?? '', generalise(path), generalise(message)] as const;
      const name = texts.join('\n');
      const of_event = `${index} ${name}`;
      if (counted.has(of_event)) continue;
      counted.add(of_event);
      let row = kinds.get(name);
      if (row === undefined) {
        const of_game = size_of_game.get(caller.game_id) ?? 0;
        if (kinds.size >= MAX_PROBLEMS_OF_KEY || of_game >= MAX_NOTED_OF_GAME) continue;
        if (size >= MAX_NOTED) continue;
        row = newKind(caller, texts);
        kinds.set(name, row);
        size++;
        size_of_game.set(caller.game_id, of_game + 1);
      }
      row.event_count++;
      if (row.sample === null) Object.assign(row, takeSample(index));
    }
  };

  return {
    note,
    /** Writes the kinds; called by a timer and at shutdown. Kinds that cannot be written are lost. */
    async flush() {
      if (size === 0) return;
      const rows = Array.from(noted.values()).flatMap((kinds) => [...kinds.values()]);
      noted = new Map();
      size = 0;
      size_of_game = new Map();
      await forRowsOfEachGroup(database, rows, addKinds);
    },
  };
}

export type ProblemKinds = ReturnType<typeof createProblemKinds>;

/** Takes the places in lists out of a text, so that the entries of a list have one kind. */
const generalise = (text: string): string =>
  makeStorable(text.replaceAll(/\[\d+\]/g, '[]').slice(0, MAX_MESSAGE_LENGTH));

/** Malformed events may have texts that PostgreSQL cannot store. */
const makeStorable = (text: string) => text.toWellFormed().replaceAll('\0', '\uFFFD');

function newKind(
  { game_id, environment, key_id }: KeyCaller,
  [kind, event_name, path, message]: readonly [NotedKind['kind'], string, string, string],
): NotedKind {
  const name = makeStorable(event_name);
  return {
    game_id,
    environment,
    key_id,
    kind,
    path,
    message,
    event_name: name,
    kind_hash: createHash('sha256')
      .update([kind, name, path, message].join('\n'))
      .digest('base64url'),
    event_count: 0,
    sample: null,
    player_id: null,
  };
}

/** Writes at most one event of a request as text, because an event may have 256 KB. */
function createSampler(events: readonly unknown[]) {
  let taken: { index: number; sample: Sample } | null = null;
  return (index: number): Sample | null => {
    const event = events[index];
    if (event === undefined) return null;
    taken ??= { index, sample: toSample(event) };
    return taken.index === index ? taken.sample : null;
  };
}

function toSample(event: unknown): Sample {
  const text = JSON.stringify(event);
  const { player_id } = (event ?? {}) as { player_id?: unknown };
  const isNamed = typeof player_id === 'string' && player_id !== '' && player_id.length <= 510;
  return {
    sample:
      text.length <= MAX_SAMPLE_LENGTH
        ? text
        : `${text.slice(0, MAX_SAMPLE_LENGTH).toWellFormed()}…`,
    player_id: isNamed ? makeStorable(player_id) : null,
  };
}
