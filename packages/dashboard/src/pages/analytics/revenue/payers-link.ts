import { usePlayerChoice } from '../../../reports/players/use-player-choice.ts';
import { useGame } from '../../../shell/game.ts';
import { writeConditions } from '../../../ui/conditions/conditions.ts';
import type { Revenue } from './revenue-metrics.ts';
import type { RevenueSettings } from './settings/settings-form.ts';

/**
 * Makes the function that gives the address of the players with purchases on some days, as a segment.
 * It gives null where a segment cannot say who they are: for one of several currencies, and for
 * players chosen by the lack of a tag or by another segment.
 */
export function usePayersLink(data: Revenue, settings: RevenueSettings) {
  const { path } = useGame();
  const { selection } = usePlayerChoice();
  const { properties, tags, without_tags, segment } = selection;
  const isOfAll = data.is_converted || data.currencies.length === 1;
  const isSayable = isOfAll && without_tags.length === 0 && segment === null;
  const { event_name, filter, amount_property } = settings;
  const isPaid = { property: amount_property, operator: 'gt', value: 0 };
  const events = JSON.stringify([{ event_name, filter: [...filter, isPaid] }]);
  return ({ from, to }: { from: string; to: string }): string | null => {
    if (!isSayable) return null;
    const question = new URLSearchParams({ from, to, events });
    if (properties.length > 0) question.set('filter', writeConditions(properties));
    for (const tag of tags) question.append('tag', tag);
    return `${path('segments')}?${question}`;
  };
}
