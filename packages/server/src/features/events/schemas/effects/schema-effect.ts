import type { Environment } from '@overworld/contract/common';
import type { EventValidation } from '@overworld/contract/tiers';
import { sql } from '../../../../platform/database/sql.ts';
import {
  createEncounters,
  createPlayerCount,
} from '../../../../platform/definitions/encounters.ts';
import {
  environmentsOf,
  inWords,
  LATELY,
  shareInWords,
} from '../../../../platform/definitions/effects.ts';
import type { EffectDatabase, FoundEffect } from '../../../../platform/definitions/effects.ts';
import { parseJsonText } from '../../../../platform/json/parse-json.ts';
import { createPauses } from '../../../../platform/pauses.ts';
import { isOfTenant } from '../../../../platform/players/player-key.ts';
import type { Tenant } from '../../../../platform/players/player-key.ts';
import { readAhead } from '../../../../platform/read-ahead.ts';
import { CHECKED_AT_ONCE, compileEventSchema } from '../schema-language.ts';
import type { Check, SchemaProblem } from '../schema-language.ts';

export interface SchemaEffectInput {
  game_id: string;
  /** Events count if they were received at or after this time. */
  since: string;
  /** The environment in which the schema is tried; null for a plan. */
  tried_in: Environment | null;
  event_name: string;
  /** The new schema, as JSON. */
  schema: string;
  /** How each environment treats events that break their schemas. */
  validation: Record<Environment, EventValidation>;
}

interface Checked {
  events: number;
  broken: number;
  is_complete: boolean;
  /** Only if the schema is tried. */
  met: Pick<FoundEffect, 'players' | 'examples'>;
}

/**
 * Counts the stored events of an event name that break its new schema, by the check that new events must pass.
 * The newest events come first, so if there is no time for all, these have been counted.
 */
export async function count(
  database: EffectDatabase,
  input: SchemaEffectInput,
  late: AbortSignal,
): Promise<FoundEffect[]> {
  const { game_id, since, tried_in, event_name, schema, validation } = input;
  const check = compileEventSchema(parseJsonText(schema));
  const effects: FoundEffect[] = [];
  for (const environment of environmentsOf(input)) {
    database.progress.expect(environment, Date.now() - Date.parse(since));
    const tenant = { game_id, environment };
    const asked = { event_name, since, check, is_tried: tried_in !== null };
    const checked = await checkEvents(database, tenant, asked, late);
    if (checked.events > 0) {
      effects.push(describe(event_name, environment, checked, validation[environment]));
    }
    if (checked.is_complete) continue;
    if (effects.length === 0) late.throwIfAborted();
    if (checked.events === 0) effects.push(describeUncounted(event_name, environment));
    return effects;
  }
  return effects.length > 0 ? effects : [describeNone(event_name)];
}

const describeNone = (event_name: string): FoundEffect => ({
  about: 'events',
  environment: null,
  part: null,
  state: 'counted',
  numbers: { events: 0, broken: 0 },
  words: `No \`${event_name}\` events were received ${LATELY}.`,
});

const describeUncounted = (event_name: string, environment: Environment): FoundEffect => ({
  about: 'events',
  environment,
  part: null,
  state: 'uncounted',
  numbers: {},
  words: `There was no time to count the \`${event_name}\` events received in ${environment}.`,
});

/** The fate of events that break their schema, in words. */
const TREATMENTS: Record<EventValidation, string> = {
  off: 'break the schema, which is allowed there',
  warn: 'would be taken with a warning',
  reject: 'would be refused, each with its whole request',
};

function describe(
  event_name: string,
  environment: Environment,
  { events, broken, is_complete, met }: Checked,
  validation: EventValidation,
): FoundEffect {
  const which = is_complete ? '' : 'the newest ';
  const lately = `\`${event_name}\` events received in ${environment} ${LATELY}`;
  const words = `${inWords(broken)} of ${which}${inWords(events)} ${lately} (${shareInWords(broken, events)}) ${TREATMENTS[validation]}.`;
  return {
    about: 'events',
    environment,
    part: null,
    state: is_complete ? 'counted' : 'partial',
    numbers: { events, broken },
    words: is_complete ? words : `${words} There was no time to check the older ones.`,
    ...met,
  };
}

/**
 * The events that one statement returns have so many characters before the last of them. It reads about as many, and
 * so many events at least and at most.
 */
const PAGE_CHARACTERS = 2_000_000;
const MIN_PAGE = 100;
const MAX_PAGE = 5_000;

async function checkEvents(
  database: EffectDatabase,
  tenant: Tenant,
  asked: { event_name: string; since: string; check: Check; is_tried: boolean },
  late: AbortSignal,
): Promise<Checked> {
  const { event_name, since, check, is_tried } = asked;
  const checked: Checked = { events: 0, broken: 0, is_complete: false, met: {} };
  const encounters = createEncounters('newest first');
  const players = createPlayerCount();
  const pause = createPauses();
  const readAfter = async (page: Page | null): Promise<Page | null> => {
    if (page?.is_last) return null;
    const before = page ?? NEWEST;
    const wanted = { event_name, since, before, limit: limitAfter(page), is_tried };
    return readPage(database, tenant, wanted, late);
  };
  let told_ms = Date.now();
  try {
    for await (const page of readAhead(readAfter)) {
      for (const [index, text] of page.texts.split('\n').entries()) {
        if (index % CHECKED_AT_ONCE === 0) await pause();
        late.throwIfAborted();
        const problems: SchemaProblem[] = [];
        check(parseJsonText(text), 'properties', problems);
        checked.events++;
        if (problems.length > 0) checked.broken++;
        if (page.origins === null) continue;
        const [player_id, at] = page.origins[index]!;
        players.add(player_id);
        const [first] = problems;
        if (first === undefined) continue;
        encounters.add({ player_id, at: new Date(at).toISOString(), words: first.message });
      }
      const received_ms = Date.parse(page.received_at);
      database.progress.add(told_ms - received_ms);
      told_ms = received_ms;
    }
    checked.is_complete = true;
  } catch (error) {
    if (!late.aborted) throw error;
  }
  if (is_tried) checked.met = encounters.show(players.count);
  return checked;
}

/** A place after that of every event. */
const NEWEST = { received: 'infinity', id: '0' };

/** Chooses the number of events of a page by the size of the page before. */
function limitAfter(page: Page | null): number {
  if (page === null) return MIN_PAGE;
  const fitting = Math.floor((PAGE_CHARACTERS * page.count) / page.texts.length);
  return Math.min(MAX_PAGE, Math.max(MIN_PAGE, fitting));
}

interface Page {
  count: number;
  /** True if there are no older events. */
  is_last: boolean;
  /** The properties of the events, one line each. */
  texts: string;
  /** The player and the time of each event, only if the schema is tried. */
  origins: [string | null, string][] | null;
  /** The place of the oldest event. */
  received: string;
  id: string;
  received_at: string;
}

/** Reads the newest events before a place as one value, which takes half as long as a row for each. */
async function readPage(
  database: EffectDatabase,
  tenant: Tenant,
  asked: {
    event_name: string;
    since: string;
    before: { received: string; id: string };
    limit: number;
    is_tried: boolean;
  },
  signal: AbortSignal,
): Promise<Page | null> {
  const { event_name, since, before, limit, is_tried } = asked;
  const origins = is_tried
    ? sql`json_agg(json_build_array(player_id, taken.received_at))`
    : sql`NULL::json`;
  const [page] = await database.query<Omit<Page, 'is_last'> & { read_count: number }>(
    sql`
      WITH page AS MATERIALIZED (
        SELECT received_at, id, player_id, properties::text AS properties
        FROM events
        WHERE ${isOfTenant(tenant)} AND event_name = ${event_name}
          AND received_at >= ${since}::timestamptz
          AND (received_at, id) < (${before.received}::timestamptz, ${before.id}::bigint)
        ORDER BY received_at DESC, id DESC
        LIMIT ${limit}
      ), summed AS (
        SELECT *, sum(length(properties)) OVER (ORDER BY received_at DESC, id DESC)
          - length(properties) AS characters_before
        FROM page
      ), taken AS (
        SELECT * FROM summed WHERE characters_before < ${PAGE_CHARACTERS}::bigint
      ), oldest AS (
        SELECT received_at, id FROM taken ORDER BY received_at, id LIMIT 1
      )
      SELECT count(*) AS count, string_agg(properties, E'\\n') AS texts, ${origins} AS origins,
        (SELECT count(*) FROM page) AS read_count,
        min(oldest.received_at)::text AS received, min(oldest.id)::text AS id,
        min(oldest.received_at) AS received_at
      FROM taken CROSS JOIN oldest`,
    signal,
  );
  if (page!.count === 0) return null;
  const { read_count, ...taken } = page!;
  return { ...taken, is_last: read_count < limit && read_count === taken.count };
}
