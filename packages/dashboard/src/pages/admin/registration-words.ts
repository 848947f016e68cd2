import type { Answer } from '../../api/operations.ts';

type Options = Pick<Answer<'GET /v1/auth/options'>, 'registration_open' | 'account_activation'>;

/**
 * Says who can get an account here.
 * @param open_to_strangers False if nobody but this machine reaches the server, or if no stranger's account
 * becomes active by itself.
 */
export function registrationWords(
  { registration_open, account_activation }: Options,
  open_to_strangers: boolean,
): string {
  if (!registration_open) return 'Registration is closed: only people you invite get an account.';
  if (account_activation === 'admin') {
    return 'Registration is open, and a new account works only after an administrator has activated it.';
  }
  if (!open_to_strangers) {
    return 'Registration is open, but the server is set up to be reached from its own machine alone.';
  }
  const confirmed =
    account_activation === 'email' ? ' with an e-mail address that they confirm' : '';
  return `Registration is open: anybody who reaches this server can make an account${confirmed}. Start it with REGISTRATION=closed, and only people you invite get one.`;
}
