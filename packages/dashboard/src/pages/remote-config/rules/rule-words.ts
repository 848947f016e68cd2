import type { ConfigRule } from '@overworld/contract/remote-config/config';
import { formatPercent } from '@overworld/contract/percents';
import { describe } from '../../../ui/conditions/conditions.ts';
import type { Answer } from '../../../api/operations.ts';

/** Describes a rule in words, such as `Newcomers: level < 5, 12.5% of players`. */
export function describeRule({
  name,
  has_tags = [],
  lacks_tags = [],
  properties = [],
  percentage,
  salt,
}: ConfigRule): string {
  const conditions = [
    ...has_tags.map((tag) => `has tag ${tag}`),
    ...lacks_tags.map((tag) => `lacks tag ${tag}`),
    ...properties.map(describe),
    ...(percentage === undefined ? [] : [`${formatPercent(percentage)} of players`]),
    ...(salt === undefined ? [] : [`salt ${JSON.stringify(salt)}`]),
  ].join(', ');
  return name ? `${name}: ${conditions}` : conditions;
}

type Preview = Answer<'POST /v1/games/{game_id}/config/preview'>;

/** For each condition of a rule, the words that tell why a player does not meet it. */
export const CONDITION_WORDS: Record<Preview['decisions'][number]['unmatched'][number], string> = {
  player: 'no player given',
  has_tags: 'lacks a tag',
  lacks_tags: 'has a tag',
  properties: 'properties or statistics differ',
  percentage: 'not in the percentage',
};
