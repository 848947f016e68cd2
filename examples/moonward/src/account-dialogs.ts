import type { Backend } from './online/backend.ts';
import type { AccountEntry } from './online/studio-account.ts';
import type { AccountActions } from './screens/account-screens.ts';
import {
  showOtherMothScreen,
  showSignInScreen,
  showUnlinkScreen,
} from './screens/account-screens.ts';

/**
 * Makes the actions that open dialogs about the player's account at the studio, and the action that logs the
 * player out.
 * @param back Shows the screen from which the dialogs were opened.
 */
export function accountActions(
  sheet: HTMLElement,
  backend: Backend,
  back: () => void,
): AccountActions {
  const { account, progress } = backend;
  const { name } = progress;
  const playAs = async (entry: AccountEntry) => (await account.playAs(entry)).problem;
  const signIn = async (entry: AccountEntry) => {
    // The player was signed in here before, but the login has ended. So this device has no player that could
    // be linked to the account.
    if (account.state.kind === 'signed_in') return playAs(entry);
    const outcome = await account.signIn(entry);
    if (sheet.dataset.screen !== 'sign-in') return null;
    if (outcome === 'linked') back();
    else if ('problem' in outcome) return outcome.problem;
    else {
      showOtherMothScreen(
        sheet,
        { name: name.text, account: entry.name, words: outcome.other_player },
        { playAs: () => playAs(entry), openSignIn, back },
      );
    }
    return null;
  };
  const openSignIn = () => showSignInScreen(sheet, name.text, { signIn, back });
  const unlink = async () => {
    const failed = await account.unlink();
    if (failed === null && sheet.dataset.screen === 'unlink') back();
    return failed?.problem ?? null;
  };
  return {
    openSignIn,
    openUnlink: () =>
      showUnlinkScreen(sheet, { name: name.text, account: account.state.name }, { unlink, back }),
    signOut: async () => (await account.signOut()).problem,
  };
}
