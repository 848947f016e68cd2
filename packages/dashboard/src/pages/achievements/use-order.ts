import { notifyManager, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { DragEvent } from 'react';
import { call } from '../../api/client.ts';
import { readQuery } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';
import { notify } from '../../ui/notify.tsx';
import type { Achievement } from './achievement-list.tsx';

const LIST = 'GET /v1/games/{game_id}/achievements';

/** Puts an achievement where another one stands. */
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
 * The order of the list while it is being changed: a move shows at once, and is taken back with a
 * message when the server refuses it.
 */
export function useOrder(achievements: Achievement[]) {
  const [drag, setDrag] = useState<{ from: number; over: number } | null>(null);
  const [pending, setPending] = useState<Move[]>([]);
  const store = useStoreMove();
  const settled = pending.reduce(applyMove, achievements);
  const dragMove = drag && {
    key: settled[drag.from]!.key,
    onto: settled[drag.over]!.key,
  };
  const shown = dragMove ? applyMove(settled, dragMove) : settled;

  const move = async (from: number, to: number) => {
    const [achievement, target] = [settled[from], settled[to]];
    if (from === to || target === undefined || achievement === undefined) return;
    const wanted = { key: achievement.key, onto: target.key };
    setPending((moves) => [...moves, wanted]);
    try {
      const undo = await store(wanted);
      notify.undoable(`Moved ${achievement.name}`, undo);
    } catch (error) {
      notify.failed(error);
    } finally {
      // After what was read anew is shown, so that nothing jumps.
      notifyManager.schedule(() => setPending((moves) => moves.filter((each) => each !== wanted)));
    }
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
 * Stores moves one after the other, each by the positions that were read after the one before.
 * Positions count archived ones too. @returns what takes the move back.
 */
function useStoreMove() {
  const { game_id, environment } = useGame();
  const client = useQueryClient();
  const { queryKey } = readQuery(LIST, { params: { game_id }, query: { environment } });
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
