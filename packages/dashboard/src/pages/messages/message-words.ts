import { describe } from '../../ui/conditions/conditions.ts';
import { formatCount } from '../../ui/format.ts';
import type { SentMessage } from './message-draft.ts';

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
export function audienceWords({ to, member_count }: SentMessage): string {
  const { type, segment, has_tags, lacks_tags, properties = [], joiners } = to;
  const closed = joiners === 'excluded';
  if (type === 'player') return to.player_id ?? '';
  if (type === 'everyone') return closed ? 'everyone at the time' : 'everyone, joiners too';
  const conditions = [
    ...(segment === undefined ? [] : [`segment “${segment}”`]),
    ...(segment !== undefined || has_tags === undefined ? [] : [`tags ${has_tags.join(', ')}`]),
    ...(lacks_tags === undefined ? [] : [`without ${lacks_tags.join(', ')}`]),
    ...(segment === undefined ? properties.map(describe) : []),
  ].join(', ');
  if (!closed) return `${conditions}, joiners too`;
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
