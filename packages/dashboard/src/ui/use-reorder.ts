import { useState } from 'react';
import type { DragEvent, KeyboardEvent } from 'react';

/** The list with the entry of one place moved to another. */
export const moved = <Item>(list: readonly Item[], from: number, to: number): Item[] =>
  list.toSpliced(from, 1).toSpliced(to, 0, list[from]!);

/**
 * Lets the reader order a list by dragging a grip, or by the arrow keys on it.
 * @param ids Name the entries, and their grips by `data-grip`.
 */
export function useReorder(ids: readonly string[], onMove: (from: number, to: number) => void) {
  const [drag, setDrag] = useState<{ from: number; over: number } | null>(null);

  const move = (from: number, to: number) => {
    if (to < 0 || to >= ids.length || from === to) return;
    const control = document.activeElement as HTMLElement | null;
    onMove(from, to);
    // The control may lose the focus while its entry changes its place in the document.
    requestAnimationFrame(() => {
      control?.focus();
      const grip = `[data-grip="${CSS.escape(ids[from]!)}"]`;
      // The control that moves an entry up is disabled at the first place.
      if (document.activeElement !== control) document.querySelector<HTMLElement>(grip)?.focus();
    });
  };

  return {
    move,
    /** The side of an entry on which the dragged one would land. */
    sideOf: (index: number) =>
      drag?.over !== index || drag.from === index
        ? undefined
        : drag.from < index
          ? 'below'
          : 'above',
    entry: (index: number) => ({
      onDragOver(event: DragEvent) {
        if (drag === null) return;
        event.preventDefault();
        if (drag.over !== index) setDrag({ ...drag, over: index });
      },
      onDrop(event: DragEvent) {
        event.preventDefault();
        if (drag !== null) move(drag.from, drag.over);
        setDrag(null);
      },
    }),
    grip: (index: number) => ({
      draggable: true,
      'data-grip': ids[index],
      onDragStart: () => setDrag({ from: index, over: index }),
      onDragEnd: () => setDrag(null),
      onKeyDown(event: KeyboardEvent) {
        const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        move(index, index + step);
      },
    }),
  };
}
