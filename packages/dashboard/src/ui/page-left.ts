/**
 * The name of the window event that says that the user goes to another page. The event is sent at the
 * click, before anything renders. `useNavigation` reports the change only after a rendering.
 */
export const PAGE_LEFT = 'overworld:page-left';
