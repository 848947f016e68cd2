/** How far the games of keys are whose quota of this month is used up. */
export interface ExhaustedKeys {
  /** Events stored this month when the key's game has used up this very quota, else null. */
  find(key_id: string, quota: number): number | null;
  note(key_id: string, exhausted: { quota: number; used: number; month_ends_in_ms: number }): void;
}

/**
 * Remembers keys whose game has used up its quota, so that no statement is needed to refuse their
 * events, until the month ends or the quota is another. By key, not by game: one that is loaded from
 * an archive may have used less than the game of the same id before it, but never has its keys.
 */
export function createExhaustedKeys(): ExhaustedKeys {
  const keys = new Map<string, { quota: number; used: number; until_ms: number }>();
  return {
    find(key_id, quota) {
      const key = keys.get(key_id);
      if (key === undefined || key.quota !== quota) return null;
      if (Date.now() < key.until_ms) return key.used;
      keys.delete(key_id);
      return null;
    },
    note(key_id, { quota, used, month_ends_in_ms }) {
      keys.set(key_id, { quota, used, until_ms: Date.now() + month_ends_in_ms });
    },
  };
}
