import { parse } from 'node:querystring';
import { readJsonText } from '../json/parse-json.ts';
import type { UsedThing } from '../definition-uses.ts';

type Members = Record<string, unknown>;

/**
 * Finds a thing in the stored query of a report.
 * @returns the name of the thing, or of one of the properties; null if the query does not refer to it.
 */
export function findUsed(query: string, thing: UsedThing): string | null {
  const read = readQuery(query);
  switch (thing.kind) {
    case 'segment': {
      const { players, split_by } = read;
      const isAmong = isMembers(players) && players.segment === thing.name;
      return isAmong || split_by === `segment:${thing.name}` ? thing.name : null;
    }
    case 'experiment':
      return typeof read.experiment_id === 'string' &&
        read.experiment_id.toLowerCase() === thing.experiment_id.toLowerCase()
        ? thing.experiment_id
        : null;
    case 'event_properties':
      return (
        listProperties(read, thing.event_name).find((name) => thing.properties.has(name)) ?? null
      );
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
 * Lists the properties of an event at which a part of a query looks: those of conditions, groups, sums and
 * steps. The parts of a query that are about events name the event in `event_name`.
 */
function listProperties(part: unknown, event_name: string): string[] {
  if (Array.isArray(part)) return part.flatMap((each) => listProperties(each, event_name));
  if (!isMembers(part)) return [];
  const { steps, breakdown, filter, group_by, property } = part;
  const own = part.event_name === event_name ? [group_by, property, ...propertiesOf(filter)] : [];
  // The property of a funnel's `breakdown` is one of its first step.
  const [first] = Array.isArray(steps) ? (steps as unknown[]) : [];
  if (isMembers(first) && first.event_name === event_name) own.push(breakdown);
  const inside = Object.values(part).flatMap((each) => listProperties(each, event_name));
  return [...own.filter((name) => typeof name === 'string'), ...inside];
}

const propertiesOf = (filter: unknown): unknown[] =>
  Array.isArray(filter) ? filter.map((each) => isMembers(each) && each.property) : [];

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
