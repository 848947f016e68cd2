/** Limits of annotations. This file has no imports, so that the web app can use it without schemas. */

export const MAX_ANNOTATION_LENGTH = 300;
/** Annotations that members have written in a game. */
export const MAX_ANNOTATIONS = 2_000;
/** Annotations in one answer. */
export const MAX_ANNOTATIONS_SHOWN = 300;
