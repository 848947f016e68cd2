import { resetSecondFactors } from '../../features/second-factors/reset.ts';
import { COMMAND_LINE, getAccountByEmail, withInstallation } from './accounts.ts';
import type { Command } from '../command.ts';

export const resetSecondFactorCommand: Command = {
  name: 'reset-second-factor',
  usage: '<e-mail>',
  summary: 'Remove the second factors of an account whose owner has lost them',
  words: 1,
  run: (context) =>
    withInstallation(context, async (database) => {
      const { id, email } = await getAccountByEmail(database, context.words[0]!);
      const had_any = await resetSecondFactors(database, COMMAND_LINE, id);
      context.say(
        had_any
          ? `${email} logs in with the password alone now.`
          : `${email} has no second factor.`,
      );
    }),
};
