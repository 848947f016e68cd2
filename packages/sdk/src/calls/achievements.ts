import type { AchievementList, Unlock } from '../answers.ts';
import type { Player } from './player.ts';
import type { Transport } from '../http/transport.ts';

/** Achievements. The dashboard defines them. */
export interface Achievements {
  /**
   * Unlocks an achievement for the player. Unlocking it again changes nothing.
   * @example
   * const { already_unlocked, achievement } = await overworld.achievements.unlock('first_light');
   * if (!already_unlocked) toast(`${achievement.name}: ${achievement.points} points`);
   */
  unlock(achievementKey: string): Promise<Unlock>;
  /**
   * All achievements, and the unlocks of the player.
   * @example const { achievements, unlocked_points } = await overworld.achievements.list();
   */
  list(): Promise<AchievementList>;
}

export function createAchievements(transport: Transport, player: Player): Achievements {
  return {
    async unlock(achievement_key) {
      const body = { achievement_key, player_id: await player.get() };
      const call = { method: 'POST', path: '/v1/achievements/unlock', body } as const;
      return (await transport.request<Unlock>(call, 'safe')).body;
    },
    async list() {
      const query = { player_id: await player.get() };
      const call = { method: 'GET', path: '/v1/achievements', query } as const;
      return (await transport.request<AchievementList>(call, 'safe')).body;
    },
  };
}
