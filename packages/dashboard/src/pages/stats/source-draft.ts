import type { Condition } from '../../ui/conditions/conditions.ts';
import type { EventChoice } from '../../reports/questions/event-choice.ts';
import type { Stat } from './stat-words.ts';

/** The events that move a statistic, while they are chosen. */
export interface SourceDraft extends EventChoice {
  /** False if calls change the statistic. The choice of events is then kept for the reader alone. */
  isMoved: boolean;
  /** Empty to count the events. */
  property: string;
}

export const readSource = (source: Stat['source']): SourceDraft => ({
  isMoved: source !== null,
  event_name: source?.event_name ?? '',
  filter: (source?.conditions ?? []) as Condition[],
  property: source?.property ?? '',
});

export const writeSource = ({ event_name, filter, property }: SourceDraft) => ({
  event_name,
  conditions: filter,
  property: property === '' ? null : property,
});

export const findSourceProblem = (
  { isMoved, event_name, property }: SourceDraft,
  { aggregation }: Pick<Stat, 'aggregation'>,
): string | null => {
  if (!isMoved) return null;
  if (event_name === '') return 'Choose an event';
  if (property === '' && aggregation !== 'sum') return 'Choose a property, or add the events up';
  return null;
};
