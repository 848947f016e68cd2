import type { AchievementList, Unlock } from '../answers.ts';
import type { KeptCalls } from './kept-calls.ts';
import type { Player } from './player.ts';
import type { Transport } from '../http/transport.ts';

/** Achievements. The dashboard defines them. */
export interface Achievements {
  /**
   * Unlocks an achievement for the player. To unlock it a second time changes nothing. Without a network,
   * throws an error with `isKept`, and sends the unlock later.
   * @example
   * const { already_unlocked, achievement } = await overworld.achievements.unlock('first_light');
   * if (!already_unlocked) toast(`${achievement.name}: ${achievement.points} points`);
   */
  unlock(achievementKey: string): Promise<Unlock>;
  /**
   * Lists all achievements, and which of them the player has unlocked.
   * @param options.locale The language of names and descriptions, such as `pt-BR`, if the dashboard has them in
   * it. Without it, a browser asks for the languages of its user.
   * @example const { achievements, unlocked_points } = await overworld.achievements.list();
   */
  list(options?: { locale?: string }): Promise<AchievementList>;
}

export const createAchievements = (
  transport: Transport,
  player: Player,
  kept: KeptCalls,
): Achievements => {
  kept.makers.unlocks = ({ player_id, target: achievement_key }) => {
    const body = { achievement_key, player_id };
    return transport.ask<Unlock>('achievements/unlock', 'achievement', { body }, player_id);
  };
  return {
    unlock: async (achievement_key) => {
      const player_id = await player.get();
      return kept.make<Unlock>({ kind: 'unlocks', player_id, target: achievement_key });
    },
    list: async ({ locale } = {}) => {
      const player_id = await player.get();
      const query = { player_id, locale };
      return transport.ask<AchievementList>('achievements', 'achievements', { query }, player_id);
    },
  };
};
