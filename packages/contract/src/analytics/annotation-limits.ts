/** Limits of annotations. This file has no imports, so that the web app can use it without schemas. */

export const MAX_ANNOTATION_LENGTH = 300;
/** The maximum number of annotations that members may write in a game. */
export const MAX_ANNOTATIONS = 2_000;
/** The maximum number of annotations in one answer. */
export const MAX_ANNOTATIONS_SHOWN = 300;
