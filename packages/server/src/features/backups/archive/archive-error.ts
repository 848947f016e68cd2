/** A problem with an archive, or with the place where it is. Its message is one plain sentence. */
export class ArchiveError extends Error {}
