import { useCallback, useState } from 'react';

/**
 * Whether a box's content is wider than the box, and whether some of it is hidden at its end. `ref`
 * goes to the box, whose first child is the content.
 */
export function useOverflow() {
  const [state, setState] = useState({ scrolls: false, hasMore: false });
  const ref = useCallback((box: HTMLElement | null) => {
    if (box === null) return;
    const measure = () => {
      const hidden = box.scrollWidth - box.clientWidth;
      // A part of a pixel is no reason to scroll.
      const next = { scrolls: hidden > 1, hasMore: hidden - Math.abs(box.scrollLeft) > 1 };
      setState((now) =>
        now.scrolls === next.scrolls && now.hasMore === next.hasMore ? now : next,
      );
    };
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    if (box.firstElementChild) observer.observe(box.firstElementChild);
    box.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      box.removeEventListener('scroll', measure);
    };
  }, []);
  return { ref, ...state };
}
