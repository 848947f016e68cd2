const TYPES = ['date', 'time', 'datetime-local'];

/**
 * Leaves the key Tab in fields of dates and times to the browser, which has several stops in each. In a dialog, Mantine
 * looks a moment later whether the focus has come to the next control, and moves it back there if it is further on
 * already. On a busy machine the moment is long, and a fast typist would go on in the wrong field. Call it before
 * the first dialog, because listeners are called in the order in which they were added.
 */
export function leaveTabsInTimeFields(): void {
  document.addEventListener('keydown', (event) => {
    const { key, target } = event;
    const isInField = target instanceof HTMLInputElement && TYPES.includes(target.type);
    if (key === 'Tab' && isInField) event.stopImmediatePropagation();
  });
}
