const POPUP = '[role=dialog], [role=menu], [role=listbox]';
const FOCUSABLE = 'a[href], button:enabled, input:enabled, textarea:enabled, [tabindex="0"]';

/** An element that had or contained the focus, with the neighbours that it had then. */
interface Place {
  element: Element;
  before: Element | null;
  after: Element | null;
}

/**
 * Keeps the focus on the page when the focused element is removed or disabled, such as the button of a
 * deleted row. The browser alone would give the focus to `body`; this function gives it to the nearest
 * control. A dialog or menu over the page returns the focus by itself to the element that had it before.
 */
export function keepFocus(): void {
  let places: Place[] = [];
  let isChecking = false;
  const check = () => {
    isChecking = false;
    const [own] = places;
    if (own === undefined || document.activeElement !== document.body) return;
    const isCovered = [...document.querySelectorAll(POPUP)].some((each) => each.checkVisibility());
    if (isCovered) return;
    nearest(places)?.focus({ preventScroll: true });
  };
  addEventListener('focusin', ({ target }) => {
    const element = target as Element;
    if (element.closest(POPUP) === null) places = placesOf(element);
  });
  // A click outside of all controls removes the focus on purpose, so the focus is not restored after it.
  addEventListener('pointerdown', () => {
    if (document.querySelector(POPUP) === null) places = [];
  });
  new MutationObserver(() => {
    if (isChecking || document.activeElement !== document.body) return;
    isChecking = true;
    requestAnimationFrame(check);
  }).observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
}

function placesOf(element: Element): Place[] {
  const places: Place[] = [];
  const { body } = document;
  for (let each: Element | null = element; each && each !== body; each = each.parentElement) {
    const { previousElementSibling: before, nextElementSibling: after } = each;
    places.push({ element: each, before, after });
  }
  return places;
}

function nearest([own, ...around]: Place[]): HTMLElement | null {
  const last = own!.element as HTMLElement;
  if (last.isConnected && last.matches(FOCUSABLE)) return last;
  // A button that awaits an answer is disabled only until the answer comes. It gets the focus back then.
  if (last.isConnected && last.matches('[data-loading]')) return null;
  for (const { element, before, after } of [own!, ...around]) {
    // If `main` is still there, it gets the focus. Otherwise another page or frame has replaced it, and
    // decides itself what gets the focus.
    if (element.matches('main')) return element.isConnected ? (element as HTMLElement) : null;
    if (element.id === 'root') return null;
    const isGone = !element.isConnected || element === last;
    const found = isGone
      ? (controlsIn(after)[0] ?? controlsIn(before).at(-1))
      : controlsIn(element)[0];
    if (found) return found;
  }
  // The focus was in a message in the corner of the window, which is not inside the page's `main`.
  return document.querySelector('main');
}

const controlsIn = (element: Element | null): HTMLElement[] =>
  !element?.isConnected
    ? []
    : [element, ...element.querySelectorAll(FOCUSABLE)].filter(
        (each): each is HTMLElement => each.matches(FOCUSABLE) && each.checkVisibility(),
      );
