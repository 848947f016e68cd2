/**
 * Event of the window: the reader starts for another page. It comes with the click itself, before
 * anything renders. `useNavigation` tells of it only when that is rendered.
 */
export const PAGE_LEFT = 'overworld:page-left';
