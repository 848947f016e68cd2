/**
 * Remembers the API keys of games that have used up their quota, until the month ends or the quota changes.
 * Events with these keys are refused without a statement. Keys are remembered, and not games, because a game
 * that is loaded from an archive may have used less than the earlier game with its id, but never has the same
 * keys.
 */
export function createExhaustedKeys() {
  const keys = new Map<string, { quota: number; used: number; until_ms: number }>();
  return {
    /**
     * Returns the number of events of this month if the game
     * of the key has used up exactly this quota, else null.
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
