import { StoreError } from '../../../platform/stores/store-error.ts';

/** A problem with an archive. Its message is one plain sentence. */
export class ArchiveError extends StoreError {}
