import { useRef, useState } from 'react';
import type { DragEvent, KeyboardEvent } from 'react';
import { notify } from '../notify.tsx';
import { usePending } from '../use-pending.ts';

/** A move of an item to a place in the list. The first place is 0. */
interface Move {
  id: string;
  place: number;
}

/** A move by dragging, with the id of the item that the pointer was last over. */
interface Drag extends Move {
  over: string;
}

export function applyMove<Item extends { id: string }>(
  items: readonly Item[],
  { id, place }: Move,
): Item[] {
  const from = items.findIndex((item) => item.id === id);
  if (from < 0) return [...items];
  const item = items[from]!;
  return items.toSpliced(from, 1).toSpliced(place, 0, item);
}

const STEPS: Record<string, number> = {
  ArrowUp: -1,
  ArrowLeft: -1,
  ArrowDown: 1,
  ArrowRight: 1,
};

/**
 * Lets the reader arrange items by dragging a grip, or by pressing arrow keys on
 * the grip. A move is shown immediately, and is undone if it cannot be stored.
 */
export function useArrangement<Item extends { id: string }>(options: {
  items: readonly Item[];
  nameOf: (item: Item) => string;
  /** Stores a move to the place of `target`. Rejects if the move cannot be stored. */
  onMove: (move: Move, target: Item) => Promise<unknown>;
}) {
  const { items, nameOf, onMove } = options;
  const [pending, keep] = usePending<Move>();
  const [drag, setDrag] = useState<Drag | null>(null);
  /** The newest state of the drag. The drop may come before the page is rendered with that state. */
  const held = useRef<Drag | null>(null);
  const hold = (next: Drag | null) => {
    held.current = next;
    setDrag(next);
  };
  const [said, say] = useState('');
  const ordered = pending.reduce(applyMove<Item>, [...items]);
  const shown = drag ? applyMove(ordered, drag) : ordered;

  const move = (id: string, place: number) => {
    const from = ordered.findIndex((item) => item.id === id);
    const to = Math.max(0, Math.min(ordered.length - 1, place));
    if (from < 0 || from === to) return;
    const wanted = { id, place: to };
    say(`${nameOf(ordered[from]!)} is now ${to + 1} of ${ordered.length}`);
    keep(wanted, () => onMove(wanted, ordered[to]!)).catch(notify.failed);
  };

  const moveBy = (id: string, step: number) =>
    move(id, ordered.findIndex((item) => item.id === id) + step);

  return {
    items: shown,
    /** The words that announce the move to screen readers. */
    announcement: said,
    moveBy,
    /** Returns the props of the grip that moves an item. */
    gripOf: ({ id }: Item) => ({
      draggable: true,
      onDragStart: (event: DragEvent) => {
        // Firefox drags nothing unless some data is set.
        event.dataTransfer.setData('text/plain', id);
        event.dataTransfer.effectAllowed = 'move';
        const place = ordered.findIndex((item) => item.id === id);
        hold({ id, place, over: id });
      },
      onDragEnd: () => hold(null),
      onKeyDown: (event: KeyboardEvent) => {
        const step = STEPS[event.key];
        if (step === undefined) return;
        event.preventDefault();
        moveBy(id, step);
      },
    }),
    /** Returns the props of an item's box. Other items can be dragged over the box. */
    placeOf: (item: Item) => ({
      'data-dragged': drag?.id === item.id || undefined,
      onDragOver(event: DragEvent) {
        if (held.current === null) return;
        event.preventDefault();
        const { id, over } = held.current;
        // A tall item may still be under the pointer after it has made room. It must not move a second time.
        if (item.id === over) return;
        const place = shown.findIndex((other) => other.id === item.id);
        hold({ id, place, over: item.id });
      },
      onDrop(event: DragEvent) {
        event.preventDefault();
        if (held.current !== null) move(held.current.id, held.current.place);
        hold(null);
      },
    }),
  };
}
