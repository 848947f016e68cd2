/** How far the games are whose quota of this month is used up. */
export interface ExhaustedGames {
  /** Events stored this month when the game has used up this very quota, else null. */
  find(game_id: string, quota: number): number | null;
  note(game_id: string, exhausted: { quota: number; used: number; month_ends_in_ms: number }): void;
}

/**
 * Remembers games whose quota is used up, so that no statement is needed to refuse their events,
 * until the month ends or the quota is another.
 */
export function createExhaustedGames(): ExhaustedGames {
  const games = new Map<string, { quota: number; used: number; until_ms: number }>();
  return {
    find(game_id, quota) {
      const game = games.get(game_id);
      if (game === undefined || game.quota !== quota) return null;
      if (Date.now() < game.until_ms) return game.used;
      games.delete(game_id);
      return null;
    },
    note(game_id, { quota, used, month_ends_in_ms }) {
      games.set(game_id, { quota, used, until_ms: Date.now() + month_ends_in_ms });
    },
  };
}
