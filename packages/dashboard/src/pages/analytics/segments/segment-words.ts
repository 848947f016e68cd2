import type { ReportRange } from '../../../reports/days/use-report-range.ts';
import { countOf, formatCalendarDay } from '../../../ui/format.ts';
import { describe } from '../../../ui/conditions/conditions.ts';
import type { EventCondition, SegmentQuestion } from './use-segment-question.ts';

/** A segment as a sentence: `Players with level ≥ 10 who did purchase at least 2 times from … to ….` */
export function describeSegment(question: SegmentQuestion, { from, to }: ReportRange): string {
  const { tags, conditions, asked } = question;
  const withs = [
    ...(tags.length > 0 ? [`${tags.length > 1 ? 'the tags' : 'the tag'} ${tags.join(', ')}`] : []),
    ...conditions.map(describe),
  ];
  const days =
    from === to
      ? ` on ${formatCalendarDay(from)}`
      : ` from ${formatCalendarDay(from)} to ${formatCalendarDay(to)}`;
  const has = withs.length > 0 ? ` with ${joinWords(withs)}` : '';
  const did = asked.length > 0 ? ` who ${joinWords(asked.map(describeEventCondition))}${days}` : '';
  if (has === '' && did === '') return 'All players. Choose tags, properties or events beside.';
  return `All players${has}${did}.`;
}

function describeEventCondition({ event_name, filter, did, at_least }: EventCondition): string {
  const what =
    filter.length > 0 ? `${event_name} (${filter.map(describe).join(', ')})` : event_name;
  if (did) return `did ${what}${at_least > 1 ? ` at least ${countOf(at_least, 'time')}` : ''}`;
  return at_least > 1 ? `did ${what} less than ${countOf(at_least, 'time')}` : `did not do ${what}`;
}

const joinWords = (words: readonly string[]) =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
