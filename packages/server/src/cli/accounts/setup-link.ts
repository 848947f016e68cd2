import { findSetupToken, setupLink } from '../../features/accounts/registration/setup.ts';
import { createJwtSecretKeeper } from '../../platform/auth/jwt-secrets.ts';
import { CommandError } from '../command.ts';
import type { Command } from '../command.ts';
import { withMigratedInstallation } from '../installation.ts';

export const setupLinkCommand: Command = {
  name: 'setup-link',
  usage: '',
  summary: "Print the link by which the administrator's account is made, while there is none",
  words: 0,
  run: (context) =>
    withMigratedInstallation(context, async (database) => {
      const { config, say } = context;
      const secrets = await createJwtSecretKeeper(database, config);
      const token = await findSetupToken(database, secrets);
      if (token === null) {
        throw new CommandError(
          'This installation has an administrator. To make another: overworld create-account <e-mail> --administrator.',
        );
      }
      say(setupLink(config.public_url, token));
    }),
};
