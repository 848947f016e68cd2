import { useState } from 'react';
import type { DragEvent } from 'react';
import { useChange } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { notify } from '../../ui/notify.tsx';
import type { Achievement } from './achievement-list.tsx';

function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const next = [...list];
  next.splice(to, 0, ...next.splice(from, 1));
  return next;
}

/**
 * The order of the list while it is being changed: a move shows at once, and is taken back with a
 * message when the server refuses it.
 */
export function useOrder(achievements: Achievement[]) {
  const { game_id } = useGame();
  const update = useChange('PATCH /v1/games/{game_id}/achievements/{key}');
  const [drag, setDrag] = useState<{ from: number; over: number } | null>(null);
  const [pending, setPending] = useState<{ base: Achievement[]; order: Achievement[] } | null>(
    null,
  );
  // What is read again after a move counts from then on.
  const settled = pending?.base === achievements ? pending.order : achievements;
  const shown = drag ? moved(settled, drag.from, drag.over) : settled;

  // Positions count archived ones too: the place of the one that stands there now.
  const setPosition = ({ key }: Achievement, position: number) =>
    update.mutateAsync({ params: { game_id, key }, body: { position } });

  const move = (from: number, to: number) => {
    const target = settled[to];
    const achievement = settled[from];
    if (from === to || target === undefined || achievement === undefined) return;
    setPending({ base: achievements, order: moved(settled, from, to) });
    setPosition(achievement, target.position).then(
      () =>
        notify.undoable(`Moved ${achievement.name}`, () =>
          setPosition(achievement, achievement.position),
        ),
      (error: unknown) => {
        setPending(null);
        notify.failed(error);
      },
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
      if (drag !== null) move(drag.from, drag.over);
      setDrag(null);
    },
    cancel: () => setDrag(null),
  };
}
