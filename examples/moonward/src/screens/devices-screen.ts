import type { MoveProblem } from '../online/devices.ts';
import type { LoginState } from '../online/backend.ts';
import type { AccountState } from '../online/studio-account.ts';
import { renderAccount } from './account-screens.ts';
import type { AccountActions } from './account-screens.ts';
import { button, element } from './element.ts';
import { openSheet } from './sheet.ts';

const LOGIN_WORDS: Record<LoginState, string> = {
  in: 'Logged in',
  trying: 'Logging in …',
  out: 'Not logged in',
};

const PROBLEM_WORDS: Record<MoveProblem, string> = {
  offline: 'The server cannot be reached now.',
  wrong_code: 'This code is wrong, or older than ten minutes.',
  refused: 'The server takes no more codes now. Wait a minute.',
};

/** Shows whether the player is logged in, with a coloured dot. */
export const renderLogin = (login: LoginState): HTMLElement =>
  element('span', { className: `login login-${login}` }, LOGIN_WORDS[login]);

export function showDevicesScreen(
  sheet: HTMLElement,
  { name, login, account }: { name: string; login: LoginState; account: AccountState },
  actions: AccountActions & { makeCode: () => void; enterCode: () => void; back: () => void },
): void {
  const isLoggedIn = login === 'in';
  const about = isLoggedIn
    ? `This device has logged in as ${name}, with a secret that no other device has.`
    : `This device plays as ${name}, and logs in as soon as the server is reached.`;
  openSheet(
    sheet,
    'devices',
    { title: 'Account and devices', onBack: actions.back },
    element('p', {}, renderLogin(login)),
    account.kind === 'signed_in' ? null : element('p', {}, about),
    ...renderAccount(name, account, isLoggedIn, actions),
    element('h2', {}, `Play as ${name} elsewhere, too`),
    button('Make a code', actions.makeCode),
    element('h2', {}, 'Play here as another of your moths'),
    button('Enter a code', actions.enterCode),
  );
}

/** @param code As the SDK returns it; null if the server cannot be reached. */
export function showMoveCodeScreen(
  sheet: HTMLElement,
  name: string,
  code: string | 'loading' | null,
  back: () => void,
): void {
  openSheet(
    sheet,
    'move-code',
    { title: 'Your code', onBack: back },
    ...(code === null
      ? [element('p', {}, PROBLEM_WORDS.offline)]
      : [
          element('output', { className: 'code' }, code === 'loading' ? '…' : code),
          element(
            'p',
            {},
            `On your other device press Account and devices, then Enter a code. It then plays as ${name}, with your pollen, wings and scores.`,
          ),
          element('p', { className: 'small' }, 'The code works once, for ten minutes.'),
        ]),
  );
}

export function showEnterCodeScreen(
  sheet: HTMLElement,
  name: string,
  { move, back }: { move: (code: string) => Promise<MoveProblem>; back: () => void },
): void {
  const input = element('input', {
    id: 'move-code',
    className: 'code',
    autocapitalize: 'characters',
    autocomplete: 'one-time-code' as const,
    placeholder: 'XXXX-XXXX-XXXX',
    maxLength: 20,
    pattern: '[ \\-]*([0-9A-Za-z][ \\-]*){12}',
    title: 'Twelve letters and digits',
    required: true,
  });
  const problem = element('p', { className: 'problem' });
  problem.setAttribute('role', 'alert');
  const submit = element('button', { type: 'submit', className: 'primary' }, 'Play as this moth');
  const form = element(
    'form',
    {
      onsubmit: async (event) => {
        event.preventDefault();
        submit.disabled = true;
        problem.textContent = 'Asking …';
        problem.textContent = PROBLEM_WORDS[await move(input.value)];
        submit.disabled = false;
        input.select();
      },
    },
    element('label', { htmlFor: input.id }, 'The code from your other device'),
    input,
    problem,
    submit,
  );
  openSheet(
    sheet,
    'enter-code',
    { title: 'Enter a code', onBack: back },
    form,
    element(
      'p',
      { className: 'small' },
      `${name}, the moth of this device, is given up with its pollen and scores.`,
    ),
  );
  input.focus({ preventScroll: true });
}
