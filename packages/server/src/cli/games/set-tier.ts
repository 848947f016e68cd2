import { TIER_NAMES, TIERS } from '@overworld/contract/tiers';
import { setGameTier } from '../../features/admin/store.ts';
import { createKeyDirectory } from '../../platform/auth/api-keys.ts';
import { createNotifications } from '../../platform/database/notifications.ts';
import { COMMAND_LINE, CommandError } from '../command.ts';
import type { Command } from '../command.ts';
import { withMigratedInstallation } from '../installation.ts';
import { groupDigits } from '../progress.ts';

export const setTierCommand: Command = {
  name: 'set-tier',
  usage: `<game-id> <${TIER_NAMES.join('|')}>`,
  summary: "Set a game's tier, and with it its events a month; a running server follows at once",
  words: 2,
  run: (context) =>
    withMigratedInstallation(context, async (database) => {
      const [game_id = '', name] = context.words;
      const tier = TIER_NAMES.find((candidate) => candidate === name);
      if (tier === undefined) throw new CommandError(`A tier is one of ${TIER_NAMES.join(', ')}.`);
      // Here the key directory is only needed to tell running servers about the change.
      const keys = createKeyDirectory(
        database,
        createNotifications(database, () => undefined),
      );
      const game = await setGameTier(database, keys, COMMAND_LINE, game_id, tier);
      context.say(
        `${game.name} is on the tier ${tier}: ${groupDigits(TIERS[tier].event_quota)} events a month.`,
      );
    }),
};
