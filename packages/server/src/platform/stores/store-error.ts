/** A problem with a place where files are kept. Its message is one plain sentence. */
export class StoreError extends Error {}
