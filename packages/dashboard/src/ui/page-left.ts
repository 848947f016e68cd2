/**
 * The event of the window when the reader goes to another page. It comes with the click, before anything
 * renders. `useNavigation` reports the change only after a rendering.
 */
export const PAGE_LEFT = 'overworld:page-left';
