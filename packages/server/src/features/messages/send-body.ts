import { MAX_MESSAGE_DATA_BYTES } from '@overworld/contract/messages/message-limits';
import type { Audience, Reward } from '@overworld/contract/messages/message-fields';
import { previewMessage, sendMessage } from '@overworld/contract/messages/sending';
import type { BodyOf } from '@overworld/contract/operation';
import { normalizeTag } from '@overworld/contract/players/tags';
import { requireBytes } from '../../platform/byte-size.ts';
import { badRequest } from '../../platform/errors.ts';
import { compileBody } from '../../platform/http/validation.ts';
import { parseTime } from '../../platform/iso-time.ts';
import { MAX_WIDE_NUMBERS, parseExactly, writeExactly } from '../../platform/json/exact-json.ts';
import { readJsonBody } from '../../platform/json/parse-json.ts';
import { requireFittingValues } from '../../platform/property-conditions.ts';
import { requireFewRewardBytes, requireSoundReward } from '../../platform/rewards.ts';
import { requireShortTranslations } from '../../platform/translations.ts';

/** The members of a message that do not depend on its time. JSON has every number as it was sent. */
export interface MessageContent {
  to: Audience;
  title: string;
  text: string;
  /** JSON text. */
  translations: string;
  /** JSON text. */
  data: string;
  /** JSON text. */
  rewards: string;
  /** The rewards whose keys can be looked up. */
  reward_list: readonly Reward[];
  reason: string;
}

/** A message as it is sent. */
export interface SentMessage extends MessageContent {
  /** Null: the server makes one. */
  id: string | null;
  /** Null: at once. */
  starts_at: string | null;
  ends_at: string | null;
}

const checkMessage = compileBody(sendMessage.body);
const checkPreview = compileBody(previewMessage.body);

/** Reads the body of a request that sends a message. @throws ApiError 400 or 413 that names the first mistake. */
export function readSentMessage(bytes: Buffer): SentMessage {
  const body = readJsonBody(bytes).value as BodyOf<typeof sendMessage>;
  checkMessage(body);
  const exact = parseExactly(bytes.toString(), MAX_WIDE_NUMBERS) as typeof body;
  const content = readContent(body, exact);
  const starts_at = readMoment('starts_at', body.starts_at);
  const ends_at = readMoment('ends_at', body.ends_at);
  if (ends_at !== null && starts_at !== null && Date.parse(ends_at) <= Date.parse(starts_at)) {
    throw badRequest('ends_at must be after starts_at');
  }
  return { ...content, id: body.id?.toLowerCase() ?? null, starts_at, ends_at };
}

export type SentContent = Omit<BodyOf<typeof sendMessage>, 'id' | 'starts_at' | 'ends_at'>;

/**
 * Reads a message without its times.
 * @param exact The same, with every number as it was sent.
 * @throws ApiError 400 or 413 that names the first mistake.
 */
export function readContent(content: SentContent, exact: SentContent): MessageContent {
  const { to, title, text = '', translations = {}, rewards = [], reason = '' } = content;
  requireSoundAudience(to);
  for (const [index, reward] of rewards.entries()) {
    const place = `rewards[${index}]`;
    if (reward.type === 'item' && reward.quantity === undefined) {
      throw badRequest(`${place}.quantity is required`);
    }
    requireSoundReward(reward, place);
  }
  const data = writeExactly(exact.data ?? {});
  requireBytes('data', data, MAX_MESSAGE_DATA_BYTES);
  const exactRewards = exact.rewards ?? [];
  for (const [index, { data: of_item }] of exactRewards.entries()) {
    const place = `rewards[${index}].data`;
    if (of_item !== undefined) requireBytes(place, writeExactly(of_item), MAX_MESSAGE_DATA_BYTES);
  }
  const writtenRewards = writeExactly(exactRewards);
  requireFewRewardBytes('rewards', writtenRewards);
  requireShortTranslations(translations);
  return {
    to: exact.to,
    title,
    text,
    translations: JSON.stringify(translations),
    data,
    rewards: writtenRewards,
    reward_list: rewards,
    reason,
  };
}

/** Reads the body of a preview. @throws ApiError 400 that names the first mistake. */
export function readPreview(bytes: Buffer): Audience {
  const body = readJsonBody(bytes).value as BodyOf<typeof previewMessage>;
  checkPreview(body);
  requireSoundAudience(body.to);
  return (parseExactly(bytes.toString(), MAX_WIDE_NUMBERS) as typeof body).to;
}

function readMoment(name: string, text: string | undefined | null): string | null {
  if (text === undefined || text === null) return null;
  const ms = parseTime(text);
  if (ms === null) throw badRequest(`${name} must be a time`);
  const time = new Date(ms);
  if (time.getUTCFullYear() > 9998) throw badRequest(`${name} is too late`);
  return time.toISOString();
}

function requireSoundAudience(to: Audience): void {
  const { type, player_id, segment, has_tags, lacks_tags, properties, joiners } = to;
  const conditions = { segment, has_tags, lacks_tags, properties };
  const stated = Object.entries(conditions).filter(([, value]) => value !== undefined);
  if (type === 'player' && player_id === undefined) throw badRequest('to.player_id is required');
  if (type !== 'player' && player_id !== undefined) {
    throw badRequest(`to.player_id is not allowed with ${type}`);
  }
  if (type === 'player' && joiners !== undefined) {
    throw badRequest('to.joiners is not allowed with player');
  }
  if (type !== 'segment' && stated.length > 0) {
    throw badRequest(`to.${stated[0]![0]} is not allowed with ${type}`);
  }
  if (type === 'segment' && stated.length === 0) {
    throw badRequest('to must state segment, has_tags, lacks_tags or properties');
  }
  for (const [name, tags] of Object.entries({ has_tags, lacks_tags })) {
    const empty = tags?.findIndex((tag) => normalizeTag(tag) === '') ?? -1;
    if (empty >= 0) throw badRequest(`to.${name}[${empty}] must not be empty`);
  }
  requireFittingValues(properties ?? [], 'to.properties');
}
