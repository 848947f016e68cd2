import { parse } from 'node:querystring';
import { readJsonText } from '../json/parse-json.ts';
import type { UsedThing } from '../definition-uses.ts';

type Members = Record<string, unknown>;

/** The things to which a query of a report refers. */
export interface QueryUses {
  segments: ReadonlySet<string>;
  stats: ReadonlySet<string>;
  metric_key: string | null;
  experiment_id: string | null;
  /** The properties by the names of their events. */
  properties: ReadonlyMap<string, readonly string[]>;
}

/** Reads the stored query of a report. It is parsed once, for questions about many things. */
export function readUses(query: string): QueryUses {
  const read = readQuery(query);
  const { players, split_by, experiment_id, metric_key } = read;
  const segments = new Set<string>();
  if (isMembers(players) && typeof players.segment === 'string') segments.add(players.segment);
  if (typeof split_by === 'string' && split_by.startsWith('segment:')) {
    segments.add(split_by.slice('segment:'.length));
  }
  const stats = new Set<string>();
  collectStats(read, stats);
  const properties = new Map<string, string[]>();
  collectProperties(read, properties);
  return {
    segments,
    stats,
    metric_key: typeof metric_key === 'string' ? metric_key : null,
    experiment_id: typeof experiment_id === 'string' ? experiment_id.toLowerCase() : null,
    properties,
  };
}

/**
 * Finds a thing among those to which a query refers.
 * @returns the name of the thing, or of one of the properties; null if the query does not refer to it.
 */
export function findUsed(uses: QueryUses, thing: UsedThing): string | null {
  switch (thing.kind) {
    case 'segment':
      return uses.segments.has(thing.name) ? thing.name : null;
    case 'stat':
      return uses.stats.has(thing.key) ? thing.key : null;
    case 'achievement':
      return null;
    case 'metric':
      return uses.metric_key === thing.key ? thing.key : null;
    case 'experiment':
      return uses.experiment_id === thing.experiment_id.toLowerCase() ? thing.experiment_id : null;
    case 'event_properties': {
      const used = uses.properties.get(thing.event_name) ?? [];
      return used.find((name) => thing.properties.has(name)) ?? null;
    }
  }
}

/** Reads a query string, and the JSON of those of its parameters that have JSON. */
const readQuery = (query: string): Members =>
  Object.fromEntries(
    Object.entries(parse(query)).map(([name, value]) => [
      name,
      typeof value === 'string' && /^\s*[[{]/.test(value) ? readJson(name, value) : value,
    ]),
  );

function readJson(name: string, text: string): unknown {
  try {
    return readJsonText(name, text);
  } catch {
    return text; // Saved reports are stored unchecked, and no report takes this JSON.
  }
}

/**
 * Collects the properties at which a part of a query looks: those of conditions, groups, sums and steps. The
 * parts of a query that are about events name the event in `event_name`.
 */
function collectProperties(part: unknown, found: Map<string, string[]>): void {
  if (Array.isArray(part)) return part.forEach((each) => collectProperties(each, found));
  if (!isMembers(part)) return;
  const { event_name, steps, breakdown, filter, group_by, property } = part;
  const add = (event: unknown, ...names: unknown[]) => {
    if (typeof event !== 'string') return;
    const texts = names.filter((name): name is string => typeof name === 'string');
    const known = found.get(event);
    if (known === undefined) found.set(event, texts);
    else known.push(...texts);
  };
  add(event_name, group_by, property, ...propertiesOf(filter));
  // The property of a funnel's `breakdown` is one of its first step.
  const [first] = Array.isArray(steps) ? (steps as unknown[]) : [];
  if (isMembers(first)) add(first.event_name, breakdown);
  // A progression names up to three events, with one property and one filter for all of them.
  const { start_event, fail_event, complete_event } = part;
  for (const event of [start_event, fail_event, complete_event]) {
    add(event, property, ...propertiesOf(filter));
  }
  for (const each of Object.values(part)) collectProperties(each, found);
}

/** Collects the statistics of conditions on players. */
function collectStats(part: unknown, found: Set<string>): void {
  if (Array.isArray(part)) return part.forEach((each) => collectStats(each, found));
  if (!isMembers(part)) return;
  const { stat, operator } = part;
  if (typeof stat === 'string' && operator !== undefined) found.add(stat);
  for (const each of Object.values(part)) collectStats(each, found);
}

const propertiesOf = (filter: unknown): unknown[] =>
  Array.isArray(filter) ? filter.map((each) => isMembers(each) && each.property) : [];

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
