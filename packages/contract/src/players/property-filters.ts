import { t } from '../schema.ts';

export const FILTER_OPERATORS = [
  'eq',
  'ne',
  'gt',
  'gte',
  'lt',
  'lte',
  'contains',
  'exists',
  'not_exists',
] as const;

/** One condition of a player search, on one top-level property. */
export const PropertyFilter = t.Resource('PropertyFilter', {
  property: t.String('Name of a property.'),
  operator: t.Enum(
    FILTER_OPERATORS,
    '`eq` equals the value; `ne` is the opposite of `eq`, so it holds for players without the property too; `gt`, `gte`, `lt`, `lte` compare numbers with a number and texts with a text, and never hold between the two; `contains` holds for a text that has the value within it and for a list that has it as an element; `exists` and `not_exists` take no value.',
  ),
  value: t.Optional(
    t.Unsafe<string | number | boolean | null>({
      type: ['string', 'number', 'boolean', 'null'],
      description:
        'What to compare with. `gt` to `lte` take a number or a text; `exists` and `not_exists` take none.',
    }),
  ),
});
