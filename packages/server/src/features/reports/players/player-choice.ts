import type { ReportCell } from '@overworld/contract/analytics/report-cell';
import type { RevenueSettings } from '@overworld/contract/analytics/revenue-settings';
import { joinSql, sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { toSql } from '../../../platform/property-conditions.ts';
import type { SentConditions } from '../../../platform/property-conditions.ts';
import type { EventChoice } from '../scan/event-selection.ts';
import { groupValue, isInGroup } from '../scan/group-value.ts';

/**
 * A condition on a player, who must have sent these events in the range of days, or must not have sent them.
 */
export interface EventCondition {
  events: EventChoice;
  did: boolean;
  at_least: number;
}

/** The conditions of a segment. A player must meet all of them. */
export interface SegmentConditions {
  tags: readonly string[];
  /** Conditions on properties of players. */
  filter: SentConditions;
  event_conditions: readonly EventCondition[];
  /** Conditions on the players of a report. Null if there are none. */
  players: PlayerConditions | null;
  /** A number of a report. The player must be one of the players whom it counts. */
  cell: Cell | null;
}

/** A number of a report that counts players, with the times at which the report's days begin and end. */
export interface Cell {
  asked: ReportCell;
  /** Steps of a funnel. */
  steps: readonly EventChoice[];
  /** Conditions on the events. */
  filter: SentConditions;
  /** The settings of a revenue report. */
  settings: RevenueSettings | null;
  starts_at: string;
  ends_at: string;
  time_zone: string;
  /** The day on which the cell is read. */
  today: string;
}

/** The players that a report is about. */
export interface PlayerConditions {
  tags: readonly string[];
  without_tags: readonly string[];
  filter: SentConditions;
  /**
   * Values of properties, each as text and cut like the name of a group. Null stands for players without the
   * property.
   */
  values: readonly { property: string; value: string | null }[];
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
  /** The maximum number of groups with a value of their own. The group `other` has all other values. */
  split_limit: number;
}

/**
 * SQL for the conditions of a segment on the columns of the table `players`. The segment's conditions on
 * events and cells are not included.
 */
export const isInSegment = ({ tags, filter, players }: SegmentConditions): Sql[] => [
  ...(tags.length === 0 ? [] : [sql`tags @> ${tags}::text[]`]),
  ...toSql(filter),
  ...(players === null ? [] : isAmong(players)),
];

const isAmong = ({ tags, without_tags, filter, values, segment }: PlayerConditions): Sql[] => [
  ...(tags.length === 0 ? [] : [sql`tags @> ${tags}::text[]`]),
  ...(without_tags.length === 0 ? [] : [sql`NOT tags && ${without_tags}::text[]`]),
  ...values.map(({ property, value }) => isInGroup(property, value)),
  ...toSql(filter),
  ...(segment === null ? [] : isInSegment(segment)),
];

/**
 * SQL that is true for the chosen players, by the columns of the table `players`. Conditions on events are
 * not included.
 */
export const isChosen = ({ players }: PlayerChoice): Sql =>
  joinSql([sql`true`, ...(players === null ? [] : isAmong(players))], ' AND ');

/**
 * SQL for the JSON text of the value that decides to which group a player belongs. It is null for the group
 * `none`. For a split by a segment, the segment's conditions on events and cells are not included.
 */
export function splitValue(split: Split): Sql {
  switch (split.by) {
    case 'property':
      return sql`to_json(${groupValue(split.property)})::text`;
    case 'tag':
      return sql`CASE WHEN tags @> ARRAY[${split.tag}::text]
                   THEN to_json(${split.tag}::text)::text END`;
    default:
      return sql`CASE WHEN ${joinSql([sql`true`, ...isInSegment(split.segment)], ' AND ')}
                   THEN to_json(${split.name}::text)::text END`;
  }
}
