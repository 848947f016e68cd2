import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Card, SentCard } from '@overworld/contract/dashboards/cards';
import { call } from '../../api/client.ts';
import { Failure } from '../../api/failure.ts';
import { readQuery } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';

export const DASHBOARD = 'GET /v1/games/{game_id}/dashboards/{dashboard_id}';
export type Dashboard = Answer<typeof DASHBOARD>;

/** A function that makes the new list of cards from the cards that the server has. */
type Change = (cards: readonly Card[]) => SentCard[];

/**
 * Stores changes of the cards one after the other. Each change starts from the answer to the previous
 * one. The server refuses a change if somebody else has changed the dashboard meanwhile.
 */
export function useCards(dashboard_id: string): (change: Change) => Promise<Dashboard> {
  const { game_id } = useGame();
  const client = useQueryClient();
  const params = { game_id, dashboard_id };
  const { queryKey } = readQuery(DASHBOARD, { params });
  const { mutateAsync } = useMutation({
    scope: { id: `cards of ${dashboard_id}` },
    // The reports on the screen stay as they are, and are not loaded again.
    meta: { leaves: true },
    async mutationFn(change: Change) {
      const current = client.getQueryData<Dashboard>(queryKey)!;
      return call('PATCH /v1/games/{game_id}/dashboards/{dashboard_id}', {
        params,
        body: { version: current.version, cards: change(current.cards) },
      });
    },
    onSuccess: (answer) => client.setQueryData(queryKey, answer),
    async onError(error) {
      if (isConflict(error)) await client.invalidateQueries({ queryKey });
    },
  });
  return async (change) => {
    try {
      return await mutateAsync(change);
    } catch (error) {
      throw isConflict(error) ? new Failure(409, CHANGED_MEANWHILE) : error;
    }
  };
}

const CHANGED_MEANWHILE =
  'Somebody changed this dashboard meanwhile. It shows their changes now: make yours again';

const isConflict = (error: unknown) => error instanceof Failure && error.status === 409;
