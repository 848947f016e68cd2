import { WEEKDAYS } from '@overworld/contract/messages/weekdays';
import type { Answer, Input } from '../../api/operations.ts';
import {
  findTranslationProblem,
  readTranslations,
  typeTranslations,
} from '../../ui/forms/translations.ts';
import type { TypedTranslation } from '../../ui/forms/translations.ts';
import { readNumber } from '../../ui/forms/read-number.ts';
import type { PlayerCondition } from '../../ui/conditions/conditions.ts';
import { momentOf } from '../../ui/time/zoned-time.ts';

export const LIST = 'GET /v1/games/{game_id}/messages';
export const SEND = 'POST /v1/games/{game_id}/messages';
export type SentMessage = Answer<typeof LIST>['messages'][number];
export type MessageBody = Input<typeof SEND>['body'];
export type Audience = MessageBody['to'];

export const SCHEDULES = 'GET /v1/games/{game_id}/message-schedules';
export const CREATE_SCHEDULE = 'POST /v1/games/{game_id}/message-schedules';
export const CHANGE_SCHEDULE = 'PATCH /v1/games/{game_id}/message-schedules/{message_schedule_id}';
export type Schedule = Answer<typeof SCHEDULES>['schedules'][number];
export type Weekday = Schedule['weekdays'][number];

export interface RewardDraft {
  type: 'item' | 'stat' | 'achievement';
  key: string;
  /** The quantity of an item, or the change of a statistic. */
  quantity: number | string;
}

/** A message that is being written. Its times are local times of the game's zone. */
export interface MessageDraft {
  to: Audience['type'];
  player_id: string;
  segment: string;
  has_tags: string[];
  lacks_tags: string[];
  properties: PlayerCondition[];
  joiners: 'included' | 'excluded';
  title: string;
  text: string;
  translations: TypedTranslation[];
  rewards: RewardDraft[];
  starts_at: string;
  ends_at: string;
  reason: string;
  /** Sent again and again, by the members below; `starts_at` and `ends_at` then do not count. */
  repeats: boolean;
  /** None: every day. */
  weekdays: Weekday[];
  hour: string;
  lasts_hours: number | string;
}

export const newDraft = (player_id?: string): MessageDraft => ({
  to: player_id === undefined ? 'everyone' : 'player',
  player_id: player_id ?? '',
  segment: '',
  has_tags: [],
  lacks_tags: [],
  properties: [],
  joiners: 'included',
  title: '',
  text: '',
  translations: [],
  rewards: [],
  starts_at: '',
  ends_at: '',
  reason: '',
  repeats: false,
  weekdays: [],
  hour: '18',
  lasts_hours: 48,
});

/** Makes the draft that changes a schedule. */
export function draftOf({ to, rewards, weekdays, hour, ...schedule }: Schedule): MessageDraft {
  const { title, text, translations, lasts_hours, reason } = schedule;
  return {
    ...newDraft(),
    to: to.type,
    segment: to.segment ?? '',
    has_tags: to.has_tags ?? [],
    lacks_tags: to.lacks_tags ?? [],
    properties: to.properties ?? [],
    joiners: to.joiners ?? 'included',
    title,
    text,
    translations: typeTranslations(translations, ['title', 'text']),
    rewards: rewards.map(({ type, key, quantity, value }) => ({
      type,
      key,
      quantity: quantity ?? value ?? 1,
    })),
    reason,
    repeats: true,
    weekdays: weekdays.length === WEEKDAYS.length ? [] : weekdays,
    hour: String(hour),
    lasts_hours,
  };
}

/** Makes the audience that the API takes; null while it is incomplete. */
export function readAudience(draft: MessageDraft): Audience | null {
  const { to, player_id, segment, has_tags, lacks_tags, properties, joiners } = draft;
  if (to === 'player') return player_id === '' ? null : { type: to, player_id };
  if (to === 'everyone') return { type: to, joiners };
  const stated = {
    ...(segment !== '' && { segment }),
    ...(has_tags.length > 0 && { has_tags }),
    ...(lacks_tags.length > 0 && { lacks_tags }),
    ...(properties.length > 0 && { properties }),
  };
  return Object.keys(stated).length === 0 ? null : { type: to, ...stated, joiners };
}

/**
 * Makes the body of the request that sends a message.
 * @throws Error that names the first field with a mistake.
 */
export function readBody(draft: MessageDraft, zone: string): MessageBody {
  const time = (name: 'starts_at' | 'ends_at') => {
    if (draft[name] === '') return {};
    const moment = momentOf(draft[name], zone);
    if (moment === null) throw new Error(`${name} must be a valid time`);
    return { [name]: moment };
  };
  return { ...readContent(draft), ...time('starts_at'), ...time('ends_at') };
}

/**
 * Makes the body of the request that makes or changes a schedule.
 * @throws Error that names the first field with a mistake.
 */
export function readSchedule(draft: MessageDraft): Input<typeof CREATE_SCHEDULE>['body'] {
  const { weekdays, hour, lasts_hours } = draft;
  if (draft.to === 'player') throw new Error('Only messages to many are sent again and again');
  return {
    ...readContent(draft),
    weekdays: weekdays.length === 0 ? [...WEEKDAYS] : weekdays,
    hour: Number(hour),
    lasts_hours: readNumber(lasts_hours) ?? 0,
  };
}

function readContent(draft: MessageDraft) {
  const to = readAudience(draft);
  if (to === null) {
    throw new Error(draft.to === 'player' ? 'player_id is required' : 'Choose who gets it');
  }
  const { title, text, reason } = draft;
  if (title.trim() === '') throw new Error('title must not be empty');
  const problem = findTranslationProblem(draft.translations);
  if (problem !== null) throw new Error(problem);
  return {
    to,
    title,
    text,
    reason,
    translations: readTranslations(draft.translations),
    rewards: draft.rewards.map(({ type, key, quantity }) =>
      type === 'item'
        ? { type, key, quantity: readNumber(quantity) ?? 1 }
        : type === 'stat'
          ? { type, key, value: readNumber(quantity) ?? 1 }
          : { type, key },
    ),
  };
}
