import { useCallback, useState } from 'react';

/**
 * Tells whether the content of a box is wider than the box (`scrolls`), and whether some content
 * is hidden beyond the end of the box (`hasMore`). `isTight` becomes true when the content is
 * wider than the box. It stays true until the box gets wider, even if the content has changed
 * its layout and now fits. Pass `ref` to the box, whose first child must be the content.
 */
export function useOverflow() {
  const [state, setState] = useState({ scrolls: false, hasMore: false, isTight: false });
  const ref = useCallback((box: HTMLElement | null) => {
    if (box === null) return;
    let tight_width = 0;
    const measure = () => {
      const hidden = box.scrollWidth - box.clientWidth;
      // A difference of less than a pixel is no reason to scroll.
      const scrolls = hidden > 1;
      const hasMore = hidden - Math.abs(box.scrollLeft) > 1;
      if (scrolls) tight_width = Math.max(tight_width, box.clientWidth);
      const isTight = box.clientWidth <= tight_width;
      setState((now) =>
        now.scrolls === scrolls && now.hasMore === hasMore && now.isTight === isTight
          ? now
          : { scrolls, hasMore, isTight },
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
