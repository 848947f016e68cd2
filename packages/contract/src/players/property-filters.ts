import { t } from '../schema.ts';
import { FILTER_OPERATORS } from './filter-operators.ts';

/** One condition of a player search, on one top-level property. */
export const PropertyFilter = t.Object(
  {
    property: t.String('Name of a property.'),
    operator: t.Enum(
      FILTER_OPERATORS,
      '`eq` holds if the property equals the value; `ne` is the opposite of `eq` and so holds without the property, too; `gt`, `gte`, `lt` and `lte` compare two numbers or two texts, and never hold between a number and a text; `contains` holds for a text that contains the value and for a list that has it as an element; `exists` and `not_exists` take no value.',
    ),
    value: t.Optional(
      t.Unsafe<string | number | boolean | null>({
        type: ['string', 'number', 'boolean', 'null'],
        description:
          'Value to compare with. `gt`, `gte`, `lt` and `lte` take a number or a text; `exists` and `not_exists` take none.',
      }),
    ),
  },
  { title: 'PropertyFilter', additionalProperties: false },
);
