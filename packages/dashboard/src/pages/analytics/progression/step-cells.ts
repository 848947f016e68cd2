import type { Cell } from '../../../reports/drill-down/cells.ts';
import { writeConditions } from '../../../ui/conditions/conditions.ts';
import type { Condition } from '../../../ui/conditions/conditions.ts';
import type { Step } from './metrics.ts';
import type { ProgressionQuestion } from './use-progression-question.ts';

type Events = Pick<
  ProgressionQuestion,
  'start_event' | 'fail_event' | 'complete_event' | 'property' | 'filter'
>;
type Days = { from: string; to: string };

/** Describes the players behind each number of a step. */
export function playersOf(question: Events, days: Days) {
  const { start_event, fail_event, complete_event, property, filter } = question;
  const conditions = filter.length > 0 ? { filter: filter as Cell['filter'] } : {};
  const byEvent =
    (event_name: string) =>
    ({ value }: Step): Cell | null =>
      event_name === ''
        ? null
        : { report: 'events', ...days, event_name, ...conditions, property, value };
  return {
    starts: byEvent(start_event),
    fails: byEvent(fail_event),
    completions: byEvent(complete_event),
    left: ({ value }: Step): Cell => ({
      report: 'progression',
      ...days,
      start_event,
      ...(fail_event !== '' && { fail_event }),
      ...(complete_event !== '' && { complete_event }),
      ...conditions,
      property,
      value,
      outcome: 'left',
    }),
  };
}

/** The address of the paths that lead to the last event of a step: its failure, or else its start. */
export function pathsBefore(question: Events, { from, to }: Days, value: string): string {
  const { start_event, fail_event, property, filter } = question;
  // A step that looks like a number is one in most games.
  const is_number = /^-?\d+(\.\d+)?$/.test(value) && String(Number(value)) === value;
  const at: Condition = { property, operator: 'eq', value: is_number ? Number(value) : value };
  const search = new URLSearchParams({
    event_name: fail_event || start_event,
    filter: writeConditions([...filter, at]),
    direction: 'previous',
    from,
    to,
  });
  return `paths?${search}`;
}
