import { Text } from '@mantine/core';
import { useRead } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { countOf } from '../../ui/format.ts';
import type { AlertRow } from './alert-values.ts';

/** The number of alerts to load of each environment. */
const LOADED = 200;

/**
 * Names the alerts that will no longer tell a member or a webhook, and says which of them then tell nobody.
 * @param id The account of the member, or the webhook.
 */
export function ToldAlerts({ id }: { id: string }) {
  const { game_id } = useGame();
  const read = (environment: 'production' | 'development') => ({
    params: { game_id },
    query: { environment, limit: LOADED },
  });
  const production = useRead('GET /v1/games/{game_id}/alerts', read('production'));
  const development = useRead('GET /v1/games/{game_id}/alerts', read('development'));
  const told = [production, development]
    .flatMap(({ data }) => data?.alerts ?? [])
    .filter((alert) => recipientsOf(alert).includes(id));
  if (told.length === 0) return null;
  return (
    <Text size="sm" mt="sm" className="name">
      No longer told by {countOf(told.length, 'alert')}: {told.map(inWords).join('; ')}.
    </Text>
  );
}

const recipientsOf = ({ account_ids, webhook_ids }: AlertRow) => [...account_ids, ...webhook_ids];

const inWords = (alert: AlertRow) =>
  `“${alert.name}”${recipientsOf(alert).length === 1 ? ', which then tells nobody' : ''}`;
