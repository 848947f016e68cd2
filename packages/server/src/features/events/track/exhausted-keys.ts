/**
 * Remembers the API keys of games that have used up their quota, until the month ends or the quota changes.
 * Events with these keys are refused without a statement. The keys are remembered instead of the ids of the
 * games: a game that is loaded from an archive may have the id of an earlier game and have used less than
 * that game, but it never has the same keys.
 */
export function createExhaustedKeys() {
  const keys = new Map<string, { quota: number; used: number; until_ms: number }>();
  return {
    /**
     * Returns the number of events of this month if the key's game has used up its quota, and if the quota
     * was then `quota`; otherwise null.
     */
    find(key_id: string, quota: number): number | null {
      const key = keys.get(key_id);
      if (key === undefined || key.quota !== quota) return null;
      if (Date.now() < key.until_ms) return key.used;
      keys.delete(key_id);
      return null;
    },
    note(
      key_id: string,
      { quota, used, month_ends_in_ms }: { quota: number; used: number; month_ends_in_ms: number },
    ) {
      keys.set(key_id, { quota, used, until_ms: Date.now() + month_ends_in_ms });
    },
  };
}
