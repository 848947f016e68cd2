import { describe, readConditions } from '../../ui/conditions/conditions.ts';
import type { PlayerCondition } from '../../ui/conditions/conditions.ts';
import { countOf } from '../../ui/format.ts';
import { describeSelection, readSelection, splitWords } from '../players/player-selection.ts';
import { readChoice, readList } from '../questions/event-choice.ts';
import { windowWords } from '../questions/window-words.ts';

type Describe = (value: string, query: URLSearchParams) => string[];

/**
 * Words for each parameter of a report that can be pinned, without its days. Empty words are for parameters
 * that the chart itself shows, such as the name of the event.
 */
const WORDS: Record<string, Describe> = {
  event_name: (name) => [name],
  filter: (text) => readConditions<PlayerCondition>(text).map(describe),
  steps: (text, query) =>
    query.has('direction')
      ? []
      : readList(text).map((each, index) => {
          const { event_name, filter } = readChoice(each);
          return [`${index + 1} ${event_name}`, ...filter.map(describe)].join(', ');
        }),
  window_minutes: (minutes) => [`within ${windowWords(Number(minutes))}`],
  window_hours: (hours) => [`within ${countOf(Number(hours), 'hour')}`],
  hide: (name) => [`without ${name}`],
  repeats: (repeats) => (repeats === 'keep' ? ['with repeated events'] : []),
  direction: (direction) => [direction === 'previous' ? 'events before' : 'events after'],
  property: (property) => [`numbers of ${property}`],
  by: (by) => (by === 'hour' ? ['by hour'] : []),
  cohort: (cohort) => [cohort === 'week' ? 'by week of the first day' : 'by first day'],
  key_id: () => ['events of one API key'],
  currency: (currency) => [`only ${currency}`],
  players: (text) => describeSelection(readSelection(text)),
  group_by: (property) => [`by ${property}`],
  breakdown: (property) => [`split by ${property}`],
  split_by: (split_by) => [`split by ${splitWords(split_by)}`],
  split_limit: (limit) => [`the ${limit} largest groups`],
  start_event: (name) => [`started by ${name}`],
  fail_event: (name) => [`failed by ${name}`],
  complete_event: (name) => [`completed by ${name}`],
  limit: () => [],
  offset: () => [],
  experiment_id: () => [],
  metric: () => [],
  metric_key: () => [],
};

/** Says what a pinned chart is limited to and how it is split, one text for each part. */
export function scopeWords(query: URLSearchParams): string[] {
  return Array.from(
    query,
    ([name, value]) => WORDS[name]?.(value, query) ?? [`${name} ${value}`],
  ).flat();
}
