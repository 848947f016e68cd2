import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { readQuery } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';

const LIST = 'GET /v1/games/{game_id}/achievements';

/**
 * Stores moves one after the other, each by the positions that were read after the previous move.
 * Positions count archived achievements too.
 * @returns a function that puts an achievement in the place of another one, and returns the undo.
 */
export function useStoreMove() {
  const { game_id, inEnvironment } = useGame();
  const client = useQueryClient();
  const { queryKey } = readQuery(LIST, inEnvironment());
  const { mutateAsync } = useMutation({
    scope: { id: `order of achievements of ${game_id}` },
    async mutationFn({ key, onto }: { key: string; onto: string | number }) {
      const list = client.getQueryData<Answer<typeof LIST>>(queryKey)?.achievements ?? [];
      const positionOf = (wanted: string) => list.find((each) => each.key === wanted)?.position;
      const position = typeof onto === 'number' ? onto : positionOf(onto);
      await call('PATCH /v1/games/{game_id}/achievements/{key}', {
        params: { game_id, key },
        body: { position },
      });
      return positionOf(key);
    },
  });
  return async (key: string, onto: string) => {
    const before = await mutateAsync({ key, onto });
    return () => mutateAsync({ key, onto: before! });
  };
}
