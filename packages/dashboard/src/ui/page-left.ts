/**
 * Event of the window: the reader starts for another page. The event comes with the click itself,
 * before anything renders. `useNavigation` tells of it only after a rendering.
 */
export const PAGE_LEFT = 'overworld:page-left';
