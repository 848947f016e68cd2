import { sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { propertyText } from '../../../platform/property-text.ts';

/** Longer values are cut in reports. */
export const MAX_GROUP_VALUE_LENGTH = 255;

/** SQL for the value of the group to which a property belongs, as reports name it; null for `none`. */
export const groupValue = (property: string): Sql =>
  sql`left(${propertyText(property)}, ${MAX_GROUP_VALUE_LENGTH}::integer)`;

/** Cuts a value as `groupValue` does. */
export const cutGroupValue = (text: string | null): string | null =>
  text === null || text.length <= MAX_GROUP_VALUE_LENGTH
    ? text
    : [...text].slice(0, MAX_GROUP_VALUE_LENGTH).join('');

/** SQL that is true if a property belongs to the group with this value; null stands for `none`. */
export const isInGroup = (property: string, value: string | null): Sql =>
  sql`${groupValue(property)} IS NOT DISTINCT FROM ${value}::text`;
