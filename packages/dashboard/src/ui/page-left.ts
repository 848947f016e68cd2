/**
 * The name of the window event that says that the reader goes to another page. The event comes with the
 * click, before anything renders. `useNavigation` reports the change only after a rendering.
 */
export const PAGE_LEFT = 'overworld:page-left';
