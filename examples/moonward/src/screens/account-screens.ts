import type { AccountEntry, AccountState } from '../online/studio-account.ts';
import { button, element } from './element.ts';
import { openSheet } from './sheet.ts';

/**
 * A function that asks the server for a change. It returns
 * null, or a sentence with the reason if the change failed.
 */
type Attempt = () => Promise<string | null>;

export interface AccountActions {
  openSignIn: () => void;
  openUnlink: () => void;
  signOut: Attempt;
}

/** Shows the player's account on the studio's server, and buttons for the possible actions. */
export function renderAccount(
  name: string,
  account: AccountState,
  isLoggedIn: boolean,
  actions: AccountActions,
): HTMLElement[] {
  const heading = element('h2', {}, 'Your Moonward account');
  const called = account.name === '' ? 'your account' : `the account ${account.name}`;
  if (account.kind === 'none') {
    return [heading, button('Sign in with your Moonward account', actions.openSignIn)];
  }
  if (account.kind === 'linked') {
    return [
      heading,
      element('p', {}, `${name} is linked to ${called}. Sign in with it on any device.`),
      button('Unlink', actions.openUnlink),
    ];
  }
  const problem = problemLine();
  return [
    heading,
    element(
      'p',
      {},
      isLoggedIn
        ? `This device plays as ${name} by ${called}.`
        : `The login by ${called} has ended. Sign in again, or sign out.`,
    ),
    ...(isLoggedIn ? [] : [button('Sign in again', actions.openSignIn)]),
    attemptButton('Sign out', actions.signOut, problem),
    problem,
  ];
}

/** @param signIn If the sign-in fails, returns the reason. If it succeeds, shows another screen. */
export function showSignInScreen(
  sheet: HTMLElement,
  name: string,
  { signIn, back }: { signIn: (entry: AccountEntry) => Promise<string | null>; back: () => void },
): void {
  const account = element('input', {
    id: 'account-name',
    autocomplete: 'username' as const,
    autocapitalize: 'none',
    spellcheck: false,
    maxLength: 20,
    required: true,
  });
  const pin = element('input', {
    id: 'account-pin',
    type: 'password',
    inputMode: 'numeric',
    autocomplete: 'current-password' as const,
    pattern: '[0-9]{4,12}',
    title: '4 to 12 digits',
    maxLength: 12,
    required: true,
  });
  const problem = problemLine();
  const old = element('button', { type: 'submit', className: 'primary' }, 'Sign in');
  const fresh = element('button', { type: 'submit' }, 'Make a new account');
  const form = element(
    'form',
    {
      className: 'sign-in',
      onsubmit: async (event) => {
        event.preventDefault();
        old.disabled = fresh.disabled = true;
        problem.textContent = 'Asking …';
        const isNew = event.submitter === fresh;
        const reason = await signIn({ name: account.value.trim(), pin: pin.value, isNew });
        problem.textContent = reason ?? '';
        old.disabled = fresh.disabled = false;
        pin.select();
      },
    },
    element('label', { htmlFor: account.id }, 'Account name'),
    account,
    element('label', { htmlFor: pin.id }, 'PIN, 4 to 12 digits'),
    pin,
    problem,
    old,
    fresh,
  );
  openSheet(
    sheet,
    'sign-in',
    { title: 'Moonward account', onBack: back },
    element('p', {}, `With an account, ${name} lives on if this device is lost.`),
    form,
  );
  account.focus({ preventScroll: true });
}

/** Says that the account belongs to another player, and offers the next steps. */
export function showOtherMothScreen(
  sheet: HTMLElement,
  { name, account, words }: { name: string; account: string; words: string },
  actions: { playAs: Attempt; openSignIn: () => void; back: () => void },
): void {
  const problem = problemLine();
  openSheet(
    sheet,
    'other-moth',
    { title: 'Another moth', onBack: actions.back },
    element('p', {}, `The account ${account} cannot take ${name}: another moth has it.`),
    attemptButton('Play as that moth', actions.playAs, problem, 'primary'),
    problem,
    element(
      'p',
      { className: 'small' },
      `${name} stays on this device, and is back when you sign out.`,
    ),
    button('Sign in with another account', actions.openSignIn),
    element(
      'p',
      { className: 'small' },
      `To give the account to ${name} instead, unlink it on the other moth’s own device first. Staff can merge both moths into one in the dashboard.`,
    ),
    element('p', { className: 'small' }, `The server says: ${words}.`),
  );
}

export function showUnlinkScreen(
  sheet: HTMLElement,
  { name, account }: { name: string; account: string },
  { unlink, back }: { unlink: Attempt; back: () => void },
): void {
  const problem = problemLine();
  const called = account === '' ? 'your account' : `the account ${account}`;
  openSheet(
    sheet,
    'unlink',
    { title: 'Unlink?', onBack: back },
    element(
      'p',
      {},
      `${name} leaves ${called}, and stays on this device. Devices that have signed in with the account lose ${name} within an hour.`,
    ),
    attemptButton('Unlink', unlink, problem, 'primary'),
    problem,
  );
}

function problemLine(): HTMLElement {
  const line = element('p', { className: 'problem' });
  line.setAttribute('role', 'alert');
  return line;
}

/**
 * Makes a button that runs an attempt. The button ignores presses while the attempt runs, and shows in
 * `problem` why the attempt failed.
 */
function attemptButton(
  text: string,
  attempt: Attempt,
  problem: HTMLElement,
  className = '',
): HTMLButtonElement {
  const made = button(
    text,
    async () => {
      made.disabled = true;
      problem.textContent = 'Asking …';
      problem.textContent = await attempt();
      made.disabled = false;
    },
    className,
  );
  return made;
}
