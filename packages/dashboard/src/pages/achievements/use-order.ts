import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { DragEvent } from 'react';
import { call } from '../../api/client.ts';
import { readQuery } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';
import { notify } from '../../ui/notify.tsx';
import { usePending } from '../../ui/use-pending.ts';
import type { Achievement } from './achievement-list.tsx';

const LIST = 'GET /v1/games/{game_id}/achievements';

/** Puts an achievement in the place of another one. */
interface Move {
  key: string;
  onto: string;
}

function applyMove(list: Achievement[], { key, onto }: Move): Achievement[] {
  const from = list.findIndex((each) => each.key === key);
  const to = list.findIndex((each) => each.key === onto);
  if (from < 0 || to < 0) return list;
  const next = [...list];
  next.splice(to, 0, ...next.splice(from, 1));
  return next;
}

/**
 * The order of a list that the reader is changing. A move shows at once. When the server refuses it,
 * a message says so and the move is taken back.
 */
export function useOrder(achievements: Achievement[]) {
  const [drag, setDrag] = useState<{ from: number; over: number } | null>(null);
  const [pending, keep] = usePending<Move>();
  const store = useStoreMove();
  const ordered = pending.reduce(applyMove, achievements);
  const dragMove = drag && {
    key: ordered[drag.from]!.key,
    onto: ordered[drag.over]!.key,
  };
  const shown = dragMove ? applyMove(ordered, dragMove) : ordered;

  const move = async (from: number, to: number) => {
    const [achievement, target] = [ordered[from], ordered[to]];
    if (from === to || target === undefined || achievement === undefined) return;
    const wanted = { key: achievement.key, onto: target.key };
    await keep(wanted, () => store(wanted)).then(
      (undo) => notify.undoable(`Moved ${achievement.name}`, undo),
      notify.failed,
    );
  };

  return {
    achievements: shown,
    dragged: drag?.over ?? null,
    move,
    dragStart: (index: number) => setDrag({ from: index, over: index }),
    dragOver(event: DragEvent, index: number) {
      if (drag === null) return;
      event.preventDefault();
      if (drag.over !== index) setDrag({ ...drag, over: index });
    },
    drop(event: DragEvent) {
      event.preventDefault();
      if (drag !== null) void move(drag.from, drag.over);
      setDrag(null);
    },
    cancel: () => setDrag(null),
  };
}

/**
 * Stores moves one after the other, each by the positions that were read after the previous move.
 * Positions count archived achievements too. @returns a function that takes the move back.
 */
function useStoreMove() {
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
  return async (move: Move) => {
    const before = await mutateAsync(move);
    return () => mutateAsync({ key: move.key, onto: before! });
  };
}
