import { isText, parseExactly, toDouble } from '../../../platform/json/exact-json.ts';
import { writeAsStored } from '../../../platform/property-conditions.ts';
import type { Condition, SentConditions } from '../../../platform/property-conditions.ts';
import { holds } from '../../../platform/property-test.ts';
import type { PropertyColumn } from './event-columns.ts';

/** A condition on a property of events. */
interface ConditionTest {
  property: string;
  /** Tells whether a value meets the condition. Takes JSON text; undefined stands for no value. */
  ofText(value: string | undefined): boolean;
  /** Tells the same of a number whose JSON text is `String(value)`. */
  ofNumber(value: number): boolean;
}

/** Makes tests on values from conditions. They decide as the SQL of the same conditions. */
export function compileConditions({ filter, text: sent, path }: SentConditions): ConditionTest[] {
  if (filter.length === 0) return [];
  let conditions = parseExactly(writeAsStored(sent)) as Record<string, unknown>;
  for (const step of path) conditions = conditions[step] as Record<string, unknown>;
  return filter.map((condition, index) => {
    if ('stat' in condition) throw new Error('Events have no statistics');
    const { property, operator } = condition;
    const { value } = conditions[index] as unknown as Condition;
    const exact = { operator, ...(value !== undefined && { value }) };
    // All other doubles are on the same side of the double next to the value as of the value itself.
    const near = typeof value === 'string' && !isText(value) ? toDouble(value) : value;
    const rounded = { operator, ...(near !== undefined && { value: near }) };
    const holds_near = holds(exact, near);
    return {
      property,
      ofText: (text) => holds(exact, text === undefined ? undefined : parseExactly(text)),
      ofNumber: (number) => (number === near ? holds_near : holds(rounded, number)),
    };
  });
}

/**
 * Removes the events that do not meet a condition.
 * @param kept 1 for each event that is left, 0 for all others.
 */
export function keepMatching(
  { ofText, ofNumber }: ConditionTest,
  column: PropertyColumn,
  kept: Uint8Array,
): void {
  const lacks = Number(ofText(undefined));
  if ('numbers' in column) {
    const { numbers } = column;
    for (let index = 0; index < kept.length; index++) {
      const number = numbers[index]!;
      kept[index]! &= Number.isNaN(number) ? lacks : Number(ofNumber(number));
    }
    return;
  }
  const { values, codes } = column;
  const meets = new Uint8Array(values.length + 1);
  meets[0] = lacks;
  values.forEach((value, index) => {
    meets[index + 1] = Number(ofText(value));
  });
  for (let index = 0; index < kept.length; index++) kept[index]! &= meets[codes[index]!]!;
}
