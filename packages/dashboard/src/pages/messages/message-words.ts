import { describe } from '../../ui/conditions/conditions.ts';
import { formatCount } from '../../ui/format.ts';
import { WEEKDAYS } from '@overworld/contract/messages/weekdays';
import type { Schedule, SentMessage, Weekday } from './message-draft.ts';

/** Describes a reward, such as `50 × coins`. */
export const rewardWords = ({
  type,
  key,
  quantity,
  value = 0,
}: Omit<SentMessage['rewards'][number], 'data'>): string =>
  type === 'item'
    ? `${formatCount(quantity ?? 1)} × ${key}`
    : type === 'stat'
      ? `${value < 0 ? '' : '+'}${formatCount(value)} ${key}`
      : `achievement ${key}`;

/** Says who gets a message to many. */
export function audienceWords({
  to,
  member_count,
}: Pick<SentMessage, 'to' | 'member_count'>): string {
  const { type, segment, has_tags, lacks_tags, properties = [], joiners } = to;
  const closed = joiners === 'excluded';
  if (type === 'player') return to.player_id ?? '';
  if (type === 'everyone') return closed ? 'everyone at the time' : 'everyone, later players too';
  const conditions = [
    ...(segment === undefined ? [] : [`segment “${segment}”`]),
    ...(segment !== undefined || has_tags === undefined ? [] : [`tags ${has_tags.join(', ')}`]),
    ...(lacks_tags === undefined ? [] : [`without ${lacks_tags.join(', ')}`]),
    ...(segment === undefined ? properties.map(describe) : []),
  ].join(', ');
  if (!closed) return `${conditions}, later players too`;
  return member_count === null
    ? `${conditions}: those at the time`
    : `${conditions}: ${formatCount(member_count)} at the time`;
}

export type MessageState = 'sending' | 'coming' | 'running' | 'ended' | 'recalled';

export function stateOf(message: SentMessage): MessageState {
  const { starts_at, ends_at, recalled_at, is_sending } = message;
  if (recalled_at !== null) return 'recalled';
  if (is_sending) return 'sending';
  if (ends_at !== null && Date.parse(ends_at) <= Date.now()) return 'ended';
  return Date.parse(starts_at) > Date.now() ? 'coming' : 'running';
}

/** The short name of a day, such as `Fri`. */
export const dayName = (day: Weekday): string => `${day[0]!.toUpperCase()}${day.slice(1, 3)}`;

export const hourWords = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

/** Says when a schedule sends messages, such as `Mon, Fri at 18:00`. */
export function scheduleWords({ weekdays, hour }: Pick<Schedule, 'weekdays' | 'hour'>): string {
  const days = weekdays.length === WEEKDAYS.length ? 'Every day' : weekdays.map(dayName).join(', ');
  return `${days} at ${hourWords(hour)}`;
}
