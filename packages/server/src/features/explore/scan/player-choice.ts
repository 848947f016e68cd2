import { joinSql, sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { toSql } from '../../../platform/property-conditions.ts';
import type { SentConditions } from '../../../platform/property-conditions.ts';
import type { EventChoice } from './event-selection.ts';

/** A player must have sent these events in the range of days, or must not have sent them. */
export interface EventCondition {
  events: EventChoice;
  did: boolean;
  at_least: number;
}

/** The conditions of a segment, all of which hold. */
export interface SegmentConditions {
  tags: readonly string[];
  /** Conditions on properties of players. */
  filter: SentConditions;
  event_conditions: readonly EventCondition[];
}

/** The players that a report is about. */
export interface PlayerConditions {
  tags: readonly string[];
  without_tags: readonly string[];
  filter: SentConditions;
  segment: SegmentConditions | null;
}

/** The way in which a report is split. */
export type Split =
  | { by: 'property'; property: string }
  | { by: 'tag'; tag: string }
  | { by: 'segment'; name: string; segment: SegmentConditions };

/** The players of a report, and its split. */
export interface PlayerChoice {
  /** Null for all players. */
  players: PlayerConditions | null;
  split: Split | null;
  /** The most groups with a value of their own. */
  split_limit: number;
}

/** The conditions of a segment on the columns of `players`. */
export const isInSegment = ({ tags, filter }: SegmentConditions): Sql[] => [
  ...(tags.length === 0 ? [] : [sql`tags @> ${tags}::text[]`]),
  ...toSql(filter),
];

/** The condition on the columns of `players`, without the conditions on events. */
export function isChosen({ players }: PlayerChoice): Sql {
  if (players === null) return sql`true`;
  const { tags, without_tags, filter, segment } = players;
  return joinSql(
    [
      sql`true`,
      ...(tags.length === 0 ? [] : [sql`tags @> ${tags}::text[]`]),
      ...(without_tags.length === 0 ? [] : [sql`NOT tags && ${without_tags}::text[]`]),
      ...toSql(filter),
      ...(segment === null ? [] : isInSegment(segment)),
    ],
    ' AND ',
  );
}

/** Longer values are cut in reports. */
const MAX_LABEL_LENGTH = 255;

/**
 * The value of a player that decides the group, as a JSON text: null for the group `none`. For a
 * segment the conditions on events come on top.
 */
export function splitValue(split: Split): Sql {
  switch (split.by) {
    case 'property':
      return sql`to_json(left(properties ->> ${split.property}::text, ${MAX_LABEL_LENGTH}::integer))::text`;
    case 'tag':
      return sql`CASE WHEN tags @> ARRAY[${split.tag}::text]
                   THEN to_json(${split.tag}::text)::text END`;
    default:
      return sql`CASE WHEN ${joinSql([sql`true`, ...isInSegment(split.segment)], ' AND ')}
                   THEN to_json(${split.name}::text)::text END`;
  }
}
