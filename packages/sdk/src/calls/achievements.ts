import type { AchievementList, Unlock } from '../answers.ts';
import type { KeptCall, KeptCalls } from './kept-calls.ts';
import type { Player } from './player.ts';
import type { Transport } from '../http/transport.ts';

/** Achievements. The dashboard defines them. */
export interface Achievements {
  /**
   * Unlocks an achievement for the player. To unlock it a second time changes nothing. Without a network,
   * throws an error with `isKept`, and sends the unlock later.
   * @param options.locale The language of the name and the description, as in `list`.
   * @example
   * const { already_unlocked, achievement } = await overworld.achievements.unlock('first_light');
   * if (!already_unlocked) toast(`${achievement.name}: ${achievement.points} points`);
   */
  unlock(achievementKey: string, options?: { locale?: string }): Promise<Unlock>;
  /**
   * Lists all achievements, and which of them the player has unlocked.
   * @param options.locale The language of names and descriptions, such as `pt-BR`, if the dashboard has them in
   * it. Without it, a browser asks for the languages of its user.
   * @example const { achievements, unlocked_points } = await overworld.achievements.list();
   */
  list(options?: { locale?: string }): Promise<AchievementList>;
}

/** An unlock that is kept until it can be sent. */
interface UnlockCall extends KeptCall {
  locale: string | undefined;
}

export const createAchievements = (
  transport: Transport,
  player: Player,
  kept: KeptCalls,
): Achievements => {
  kept.makers.unlocks = (call) => {
    const { player_id, target: achievement_key, locale } = call as UnlockCall;
    const details = { query: { locale }, body: { achievement_key, player_id } };
    return transport.ask<Unlock>('achievements/unlock', 'achievement', details, player_id);
  };
  return {
    unlock: async (target, { locale } = {}) => {
      const player_id = await player.get();
      const call: UnlockCall = { kind: 'unlocks', player_id, target, locale };
      return kept.make<Unlock>(call);
    },
    list: async ({ locale } = {}) => {
      const player_id = await player.get();
      const query = { player_id, locale };
      return transport.ask<AchievementList>('achievements', 'achievements', { query }, player_id);
    },
  };
};
