import { useRead } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import type { ExampleQuestion } from './blank-question.tsx';
import { useEventNames, useEventProperties } from './known-names.ts';

/** The number of examples that are offered. */
const OFFERED = 3;

/** Returns the purchase event of the game, if it has chosen one that was sent lately. */
function usePurchases(events: readonly string[]) {
  const { game_id } = useGame();
  const { data } = useRead('GET /v1/games/{game_id}/revenue-settings', { params: { game_id } });
  const settings = data?.settings;
  return settings && events.includes(settings.event_name) ? settings : null;
}

/** Makes funnels of the most frequent events: from the more frequent one to the rarer one. */
export function useFunnelExamples(): ExampleQuestion[] {
  const events = useEventNames();
  const purchase = usePurchases(events)?.event_name;
  const [first, second, third, fourth] = events.filter((name) => name !== purchase);
  const funnels = [
    [first, second, third],
    [first, purchase],
    [second, purchase ?? third],
    [first, fourth],
  ];
  return funnels
    .filter((steps): steps is string[] => !steps.includes(undefined))
    .slice(0, OFFERED)
    .map((steps) => ({
      words: steps.join(' → '),
      query: { steps: JSON.stringify(steps.map((event_name) => ({ event_name }))) },
    }));
}

/** Makes breakdowns of the most frequent events by a property that they have. */
export function useBreakdownExamples(): ExampleQuestion[] {
  const events = useEventNames();
  const purchase = usePurchases(events);
  const [first = '', second = '', third = ''] = events.filter(
    (name) => name !== purchase?.event_name,
  );
  const ofPurchase = useEventProperties(purchase?.event_name ?? '');
  const properties = [
    useEventProperties(first),
    useEventProperties(second),
    useEventProperties(third),
  ];
  const examples: ExampleQuestion[] = [];
  if (purchase) {
    const { event_name, amount_property, currency_property } = purchase;
    const property = amount_property;
    const item = ofPurchase.find((name) => name !== property && name !== currency_property);
    examples.push(
      item === undefined
        ? { words: `${event_name}: sum of ${property}`, query: { event_name, property } }
        : {
            words: `${event_name} by ${item}: sum of ${property}`,
            query: { event_name, group_by: item, property },
          },
    );
  }
  for (const [index, event_name] of [first, second, third].entries()) {
    const [group_by] = properties[index]!;
    if (group_by !== undefined) {
      examples.push({ words: `${event_name} by ${group_by}`, query: { event_name, group_by } });
    }
  }
  for (const event_name of [first, second, third].filter((name) => name !== '')) {
    examples.push({ words: `${event_name}, counted`, query: { event_name } });
  }
  return examples.slice(0, OFFERED);
}

/** Makes the paths after the most frequent events. */
export const usePathExamples = (): ExampleQuestion[] =>
  useEventNames()
    .slice(0, OFFERED)
    .map((event_name) => ({ words: `After ${event_name}`, query: { event_name } }));
