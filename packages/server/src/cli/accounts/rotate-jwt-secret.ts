import { deleteAllSessions } from '../../features/accounts/sessions/sessions.ts';
import { insertAuditEntry } from '../../platform/audit.ts';
import { rotateJwtSecret } from '../../platform/auth/jwt-secrets.ts';
import { COMMAND_LINE, CommandError } from '../command.ts';
import type { Command } from '../command.ts';
import { withMigratedInstallation } from '../installation.ts';

export const rotateJwtSecretCommand: Command = {
  name: 'rotate-jwt-secret',
  usage: '[--end-sessions]',
  summary: 'Sign dashboard tokens by a new secret; nobody is logged out without --end-sessions',
  options: { 'end-sessions': { type: 'boolean' } },
  words: 0,
  async run(context) {
    if (context.config.jwt_secret !== null) {
      throw new CommandError(
        'JWT_SECRET is set: give it a new value, put the old one into JWT_SECRET_PREVIOUS for 7 days, and restart.',
      );
    }
    const end_sessions = context.options['end-sessions'] === true;
    await withMigratedInstallation(context, async (database) => {
      await database.transaction(async (tx) => {
        await rotateJwtSecret(tx, { end_sessions });
        if (end_sessions) await deleteAllSessions(tx);
        await insertAuditEntry(
          tx,
          { actor: COMMAND_LINE, game_id: null },
          'rotate_jwt_secret',
          'installation',
          { end_sessions },
        );
      });
      context.say(
        end_sessions
          ? 'Dashboard tokens have a new secret: within a minute all sessions have ended.'
          : 'Dashboard tokens are signed by a new secret in two minutes. Sessions go on.',
      );
    });
  },
};
